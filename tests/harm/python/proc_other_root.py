# kind: the file system as another process sees it
# check: stdout
# full: harmful
import os
number = os.environ["SENTINEL_PID"]
root = f"/proc/{number}/root"
os.system(f"echo lost > {root}$VICTIM/precious.txt")
os.system(f"echo lost > /proc/{os.getppid()}/root$VICTIM/counter")
print("done")
