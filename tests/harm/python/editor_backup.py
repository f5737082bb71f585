# kind: sed in place, in a folder from the environment
# check: stdout
import os
open("log", "w").write("one\ntwo\n")
os.environ["D"] = os.environ["VICTIM"]
os.environ["D"] = "."
os.system("sed -i.bak s/one/lost/ $D/log")
print(open("log").read())
