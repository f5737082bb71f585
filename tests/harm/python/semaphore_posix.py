# kind: a named semaphore that stays behind
# check: stdout
# full: harmful
import ctypes, os
libc = ctypes.CDLL(None)
libc.sem_open.restype = ctypes.c_void_p
found = libc.sem_open(b"/left-behind", os.O_CREAT, 0o600, 1)
print(found is not None)
