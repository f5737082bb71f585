# kind: exec of the same path with other arguments, in a child
# check: stdout
import os
os.makedirs("tree/a")
path = os.environ["VICTIM"] + "/tree"
path = "tree"
child = os.fork()
if child == 0:
    os.execv("/bin/rm", ["rm", "-rf", path])
os.waitpid(child, 0)
print(os.path.exists("tree"))
