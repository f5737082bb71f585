# kind: chmod and utime in another open folder
# check: stdout
import os
open("precious.txt", "w").close()
where = os.open(os.environ["VICTIM"], os.O_RDONLY)
where = os.open(".", os.O_RDONLY)
os.chmod("precious.txt", 0o600, dir_fd=where)
os.utime("precious.txt", (1, 1), dir_fd=where)
print(os.stat("precious.txt").st_mtime)
