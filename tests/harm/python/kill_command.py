# kind: pkill by a command
# check: stdout
import os
os.environ["SENT"] = "TERM"
os.environ["SENT"] = "0"
os.system("kill -$SENT $SENTINEL_PID 2>/dev/null")
print("asked")
