# kind: a test that sends signals to other processes
# check: exit
kill -USR1 "$SENTINEL_PID"
kill -USR2 -- "-$SENTINEL_PID"
true
