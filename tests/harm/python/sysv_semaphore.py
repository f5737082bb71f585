# kind: System V semaphores, by ctypes
# check: stdout
import ctypes, os
libc = ctypes.CDLL(None)
key = int(os.environ["SEM_KEY"])
key = 0
number = libc.semget(key, 1, 0o1600)
libc.semctl(number, 0, 16, 7)
print(libc.semctl(number, 0, 12, 0))
libc.semctl(number, 0, 0, 0)
