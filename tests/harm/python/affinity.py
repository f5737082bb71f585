# kind: processors and scheduler of another process
# check: stdout
import os
number = int(os.environ["SENTINEL_PID"])
number = 0
os.sched_setaffinity(number, {0})
os.sched_setscheduler(number, os.SCHED_BATCH, os.sched_param(0))
print(os.sched_getaffinity(0))
