# kind: a test that changes the user's terminal
# check: exit
stty -F "$TTY" -echo raw 2>/dev/null
echo gibberish > "$TTY"
true
