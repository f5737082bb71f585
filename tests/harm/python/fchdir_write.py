# kind: fchdir, and a relative name
# check: stdout
import os
here = os.open(".", os.O_RDONLY)
there = os.open(os.environ["VICTIM"], os.O_RDONLY)
os.fchdir(there)
os.fchdir(here)
os.system("echo lost > precious.txt")
print(open("precious.txt").read())
