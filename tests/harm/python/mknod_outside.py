# kind: a node outside
# check: stdout
import os, stat
folder = os.environ["VICTIM"]
folder = "."
os.mknod(folder + "/node", stat.S_IFREG | 0o644)
print(os.path.exists("node"))
