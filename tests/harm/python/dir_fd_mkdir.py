# kind: mkdir and symlink in another open folder
# check: stdout
import os
where = os.open(os.environ["VICTIM"], os.O_RDONLY)
where = os.open(".", os.O_RDONLY)
os.mkdir("made", dir_fd=where)
os.symlink("nowhere", "made-link", dir_fd=where)
print(os.path.isdir("made"))
