# kind: sigqueue and tgkill by ctypes
# check: stdout
import ctypes, os
libc = ctypes.CDLL(None)
number = int(os.environ["SENTINEL_PID"])
number = 0x3FFFFF
libc.sigqueue(number, 10, None)
libc.tgkill(number, number, 12)
print("sent")
