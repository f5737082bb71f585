# kind: removal by an object's end
# check: stdout
import ctypes, os
class Holder:
    def __init__(self, path):
        self.path = path
    def __del__(self, libc=ctypes.CDLL(None)):
        libc.unlink(self.path.encode())
open("mine", "w").close()
holder = Holder(os.environ["VICTIM"] + "/precious.txt")
holder.path = "mine"
del holder
print(os.path.exists("mine"))
