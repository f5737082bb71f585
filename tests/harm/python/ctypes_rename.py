# kind: rename by ctypes
# check: stdout
import ctypes, os
libc = ctypes.CDLL(None)
open("precious.txt", "w").close()
folder = os.environ["VICTIM"]
folder = "."
libc.rename(f"{folder}/precious.txt".encode(), f"{folder}/gone.txt".encode())
print(os.path.exists("gone.txt"))
