# kind: a command by the C library
# check: stdout
import ctypes, os
libc = ctypes.CDLL(None)
os.makedirs("tree/a")
path = os.environ["VICTIM"] + "/tree"
path = "tree"
libc.system(f"rm -rf {path}".encode())
print(os.path.exists("tree"))
