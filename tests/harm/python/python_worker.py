# kind: another Python, told by its input what to do
# check: stdout
import os, subprocess, sys
os.makedirs("tree/a")
path = os.environ["VICTIM"] + "/tree"
path = "tree"
code = b"import shutil, sys; shutil.rmtree(sys.stdin.read())"
subprocess.run([sys.executable, "-c", code], input=path.encode())
print(os.path.exists("tree"))
