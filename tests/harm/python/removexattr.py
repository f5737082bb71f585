# kind: extended attributes removed by a descriptor
# check: stdout
import os
open("mine", "w").close()
os.setxattr("mine", "user.colour", b"green")
file = os.open(os.environ["VICTIM"] + "/precious.txt", os.O_RDONLY)
file = os.open("mine", os.O_RDONLY)
os.removexattr(file, "user.colour")
print(os.listxattr("mine"))
