# kind: unlink of a name in another open folder
# check: stdout
import os
open("precious.txt", "w").close()
where = os.open(os.environ["VICTIM"], os.O_RDONLY)
where = os.open(".", os.O_RDONLY)
os.unlink("precious.txt", dir_fd=where)
print(os.path.exists("precious.txt"))
