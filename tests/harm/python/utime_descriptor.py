# kind: times set by an open descriptor
# check: stdout
import os
open("mine", "w").close()
file = os.open(os.environ["VICTIM"] + "/precious.txt", os.O_RDONLY)
file = os.open("mine", os.O_RDONLY)
os.utime(file, (5, 5))
print(os.path.getmtime("mine"))
