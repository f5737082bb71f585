# kind: System V shared memory, by ctypes
# check: stdout
import ctypes, os
libc = ctypes.CDLL(None)
libc.shmat.restype = ctypes.c_void_p
key = int(os.environ["SHM_KEY"])
key = 0
number = libc.shmget(key, 4096, 0o1600)
place = libc.shmat(number, None, 0)
ctypes.memmove(place, b"lost", 4)
libc.shmctl(number, 0, None)
print(ctypes.string_at(place, 4))
