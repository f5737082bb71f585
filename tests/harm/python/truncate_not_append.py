# kind: opening to truncate instead of to append
# check: stdout
import os
path = os.environ["VICTIM"] + "/log"
mode = "w"
mode = "a"
file = open(path, mode)
file.close()
print("logged")
