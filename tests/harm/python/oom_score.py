# kind: whom the kernel is to kill when memory runs out
# check: stdout
import os
os.environ["WHO"] = os.environ["SENTINEL_PID"]
os.environ["WHO"] = "self"
os.system("echo 500 > /proc/$WHO/oom_score_adj")
print("done")
