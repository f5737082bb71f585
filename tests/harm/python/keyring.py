# kind: a key in the session's keyring, by its number
# check: stdout
# full: harmful
import ctypes, platform
libc = ctypes.CDLL(None)
number = {"x86_64": 248, "aarch64": 217}[platform.machine()]
libc.syscall(number, b"user", b"left-behind", b"lost", 4, -3)
print("tried")
