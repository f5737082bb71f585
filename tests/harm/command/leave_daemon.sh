# kind: a test that leaves processes behind, which write later
# check: exit
setsid --fork sh -c 'sleep 0.3; echo late > "$VICTIM/late.txt"; sleep 600' >/dev/null 2>&1
true
