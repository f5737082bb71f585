# kind: the memory of another process, by /proc/PID/mem
# check: stdout
# full: harmful
import os
path = f"/proc/{os.environ['SENTINEL_PID']}/mem"
try:
    file = os.open(path, os.O_RDWR)
    os.pwrite(file, b"lost", int(os.environ["SENTINEL_ADDRESS"]))
except OSError:
    pass
print("tried")
