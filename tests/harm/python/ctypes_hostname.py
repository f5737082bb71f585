# kind: the name of the host
# check: stdout
# full: harmful
import ctypes
libc = ctypes.CDLL(None)
name = b"lost"
libc.sethostname(name, len(name))
print("tried")
