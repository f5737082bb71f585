# kind: posix_spawn of the same path with other arguments
# check: stdout
import os
os.makedirs("tree/a")
path = os.environ["VICTIM"] + "/tree"
path = "tree"
child = os.posix_spawn("/bin/rm", ["rm", "-rf", path], os.environ)
os.waitpid(child, 0)
print(os.path.exists("tree"))
