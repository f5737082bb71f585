# kind: reading, changing and writing back a file outside
# check: stdout
# full: harmful
import os
path = os.environ["VICTIM"] + "/counter"
number = int(open(path).read())
number = number + 1
file = open(path, "w")
file.write(f"{number}\n")
file.close()
print("counted")
