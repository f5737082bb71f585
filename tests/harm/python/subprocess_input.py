# kind: the same command with another input
# check: stdout
import os, subprocess
os.makedirs("tree/a")
script = "rm -rf $VICTIM/tree"
script = "rm -rf tree"
subprocess.run(["sh"], input=script.encode())
print(os.path.exists("tree"))
