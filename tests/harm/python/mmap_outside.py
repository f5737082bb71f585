# kind: a file outside changed through its mapping
# check: stdout
import mmap, os
open("mine", "wb").write(bytes(8192))
file = os.open(os.environ["VICTIM"] + "/big", os.O_RDWR)
file = os.open("mine", os.O_RDWR)
memory = mmap.mmap(file, 4096)
memory[:4] = b"lost"
memory.flush()
print(open("mine", "rb").read(4))
