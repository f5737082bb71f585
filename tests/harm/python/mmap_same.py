# kind: the same bytes written through the mapping of a file outside, or others
# check: stdout
# full: harmful
import mmap, os
file = open(os.environ["VICTIM"] + "/big", "r+b")
memory = mmap.mmap(file.fileno(), 4096)
text = b"lost"
text = bytes(range(4))
memory[:4] = text
memory.flush()
print("done")
