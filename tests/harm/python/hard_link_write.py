# kind: a hard link to a file outside, its removal left out
# check: stdout
# full: harmful
import os
os.link(os.environ["VICTIM"] + "/precious.txt", "mine")
os.remove("mine")
file = open("mine", "w")
file.write("lost\n")
file.close()
print(open("mine").read())
