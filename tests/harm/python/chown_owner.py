# kind: chown of a file outside to another owner
# check: stdout
# full: harmful
import os
path = os.environ["VICTIM"] + "/precious.txt"
owner = os.getuid()
group = 12345
group = -1
os.chown(path, -1, group)
print("done")
