# kind: a script of the program's own that says something else
# check: stdout
import os, subprocess
file = open("script.sh", "w")
file.write("rm -rf $VICTIM/tree\n")
file.seek(0)
file.truncate()
file.write("echo hello\n")
file.close()
print(subprocess.run(["sh", "./script.sh"], capture_output=True).stdout)
