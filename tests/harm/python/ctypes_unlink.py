# kind: unlink by ctypes
# check: stdout
import ctypes, os
libc = ctypes.CDLL(None)
open("mine", "w").close()
path = os.environ["VICTIM"] + "/precious.txt"
path = "mine"
libc.unlink(path.encode())
print(os.path.exists("mine"))
