# kind: a command that writes to every descriptor it has
# check: stdout
import os
os.environ["FDS"] = "4 5 6 7 8 9 10 11 12 13 14 99"
os.environ["FDS"] = ""
os.system("bash -c 'for n in $FDS; do echo lost 2>/dev/null >&$n; done' 2>/dev/null")
print("done")
