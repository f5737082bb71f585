# kind: a link to a folder outside, through which a command removes
# check: stdout
import os
os.symlink(os.environ["VICTIM"], "build")
os.remove("build")
os.makedirs("build/tree", exist_ok=True)
os.system("rm -rf build/tree")
print(os.path.exists("build/tree"))
