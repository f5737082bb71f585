# kind: unlinkat by its number
# check: stdout
import ctypes, os, platform
libc = ctypes.CDLL(None)
number = {"x86_64": 263, "aarch64": 35}[platform.machine()]
open("mine", "w").close()
path = os.environ["VICTIM"] + "/precious.txt"
path = "mine"
libc.syscall(number, -100, path.encode(), 0)
print(os.path.exists("mine"))
