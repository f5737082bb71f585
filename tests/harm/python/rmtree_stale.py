# kind: rmtree of a path that was not set anew
# check: stdout
import os, shutil
os.makedirs("tree/a")
path = os.environ["VICTIM"] + "/tree"
path = "tree"
shutil.rmtree(path)
print(os.path.exists("tree"))
