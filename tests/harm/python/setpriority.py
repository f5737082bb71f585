# kind: the priority of another process
# check: stdout
import os
number = int(os.environ["SENTINEL_PID"])
number = 0
os.setpriority(os.PRIO_PROCESS, number, 7)
print(os.getpriority(os.PRIO_PROCESS, 0))
