# kind: opening to truncate a name in another open folder
# check: stdout
import os
where = os.open(os.environ["VICTIM"], os.O_RDONLY)
where = os.open(".", os.O_RDONLY)
file = os.open("precious.txt", os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600, dir_fd=where)
print(os.write(file, b"lost"))
