# kind: pwrite, writev, sendfile and copy_file_range to an open descriptor
# check: stdout
import os
open("mine", "w").write("mine")
source = os.open("mine", os.O_RDONLY)
file = os.open(os.environ["VICTIM"] + "/big", os.O_RDWR)
file = os.open("mine", os.O_RDWR)
os.pwrite(file, b"lost", 0)
os.writev(file, [b"lo", b"st"])
os.sendfile(file, source, 0, 4)
print(os.fstat(source).st_size)
