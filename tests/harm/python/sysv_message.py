# kind: System V message queues, by ctypes
# check: stdout
import ctypes, os
libc = ctypes.CDLL(None)
key = int(os.environ["MSG_KEY"])
key = 0
number = libc.msgget(key, 0o1600)
text = ctypes.create_string_buffer(b"\1" + bytes(7) + b"text")
libc.msgsnd(number, text, 4, 0o4000)
print(libc.msgctl(number, 0, None))
