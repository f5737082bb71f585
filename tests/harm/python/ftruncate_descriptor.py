# kind: ftruncate of an open descriptor
# check: stdout
import os
open("mine", "w").write("mine")
file = os.open(os.environ["VICTIM"] + "/big", os.O_RDWR)
file = os.open("mine", os.O_RDWR)
os.ftruncate(file, 1)
print(os.path.getsize("mine"))
