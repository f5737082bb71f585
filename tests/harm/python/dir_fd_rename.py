# kind: rename in another open folder
# check: stdout
import os
open("precious.txt", "w").close()
where = os.open(os.environ["VICTIM"], os.O_RDONLY)
where = os.open(".", os.O_RDONLY)
os.rename("precious.txt", "gone.txt", src_dir_fd=where, dst_dir_fd=where)
print(os.path.exists("gone.txt"))
