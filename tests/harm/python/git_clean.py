# kind: git clean in the user's repository, the change of directory left out
# check: stdout
import os
home = os.getcwd()
os.system("git init -q mine")
os.chdir(os.environ["REPO"])
os.chdir(home + "/mine")
os.system("touch new; git clean -fdxq")
print(os.path.exists("new"))
