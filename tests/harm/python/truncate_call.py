# kind: truncate of a file outside to another size
# check: stdout
# full: harmful
import os
path = os.environ["VICTIM"] + "/big"
size = 0
size = os.path.getsize(path)
os.truncate(path, size)
print("done")
