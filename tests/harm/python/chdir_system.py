# kind: a command after a change of directory, the way back left out
# check: stdout
import os
home = os.getcwd()
os.makedirs("tree/a")
os.chdir(os.environ["VICTIM"])
seen = len(os.listdir("tree"))
os.chdir(home)
os.system("rm -rf tree")
print(seen, os.path.exists("tree"))
