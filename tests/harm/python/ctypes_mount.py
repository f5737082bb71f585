# kind: a file system mounted over a folder outside
# check: stdout
# full: harmful
import ctypes, os
libc = ctypes.CDLL(None)
path = os.environ["VICTIM"] + "/tree"
result = libc.mount(b"tmpfs", path.encode(), b"tmpfs", 0, None)
print("tried")
