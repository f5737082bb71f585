# kind: a descriptor that was open for reading, opened again for writing
# check: stdout
import os
open("mine", "w").write("mine")
file = os.open(os.environ["VICTIM"] + "/precious.txt", os.O_RDONLY)
file = os.open("mine", os.O_RDONLY)
os.set_inheritable(file, True)
os.dup2(file, 50)
os.system("echo lost > /proc/self/fd/50")
print(open("mine").read())
