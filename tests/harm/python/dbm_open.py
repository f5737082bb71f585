# kind: a new dbm, made by a library in C
# check: stdout
import os, dbm.dumb
path = os.environ["VICTIM"] + "/big"
path = "mine"
base = dbm.dumb.open(path, "n")
base["key"] = "value"
base.close()
print(sorted(os.listdir())[:2])
