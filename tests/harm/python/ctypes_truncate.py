# kind: truncate by ctypes
# check: stdout
import ctypes, os
libc = ctypes.CDLL(None)
open("mine", "w").write("mine")
path = os.environ["VICTIM"] + "/big"
path = "mine"
libc.truncate(path.encode(), 1)
print(os.path.getsize("mine"))
