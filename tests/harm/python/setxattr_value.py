# kind: extended attributes of a file outside
# check: stdout
# full: harmful
import os
path = os.environ["VICTIM"] + "/precious.txt"
value = b"red"
value = b"blue"
os.setxattr(path, "user.colour", value)
print("done")
