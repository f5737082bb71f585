# kind: rename over a precious file
# check: stdout
import os
open("new", "w").write("new\n")
where = os.environ["VICTIM"] + "/precious.txt"
where = "old"
os.replace("new", where)
print(open("old").read())
