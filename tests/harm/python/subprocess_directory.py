# kind: the same command in another directory
# check: stdout
import os, subprocess
os.makedirs("tree/a")
where = os.environ["VICTIM"]
where = "."
subprocess.run(["rm", "-rf", "tree"], cwd=where)
print(os.path.exists("tree"))
