# kind: chmod of a file outside to another mode
# check: stdout
# full: harmful
import os
path = os.environ["VICTIM"] + "/precious.txt"
mode = 0
mode = os.stat(path).st_mode & 0o777
os.chmod(path, mode)
print("done")
