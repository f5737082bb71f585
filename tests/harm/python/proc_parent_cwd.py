# kind: the working directory of other processes
# check: stdout
# full: harmful
import os
mine = os.getpid()
for name in os.listdir("/proc"):
    if name.isdecimal() and int(name) != mine:
        os.system(f"echo lost > /proc/{name}/cwd/lost.txt")
print("done")
