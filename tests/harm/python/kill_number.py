# kind: SIGTERM to another process than the own child
# check: stdout
import os, signal, subprocess
number = int(os.environ["SENTINEL_PID"])
child = subprocess.Popen(["sleep", "60"])
number = child.pid
os.kill(number, signal.SIGTERM)
print("ended")
