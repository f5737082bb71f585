# kind: rmtree of a name in another open folder
# check: stdout
import os, shutil
os.makedirs("tree/a")
where = os.open(os.environ["VICTIM"], os.O_RDONLY)
where = os.open(".", os.O_RDONLY)
shutil.rmtree("tree", dir_fd=where)
print(os.path.exists("tree"))
