# kind: a symbolic link to a file outside, its removal left out
# check: stdout
import os
os.symlink(os.environ["VICTIM"] + "/precious.txt", "mine")
os.remove("mine")
file = open("mine", "w")
file.write("lost\n")
file.close()
print(open("mine").read())
