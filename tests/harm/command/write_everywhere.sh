# kind: a test that writes by absolute paths, and into the home
# check: exit
echo lost > "$VICTIM/precious.txt"
echo lost >> ~/.bashrc
echo lost > /tmp/left-behind; echo lost > /dev/shm/left-behind; echo lost > /var/tmp/left-behind
true
