# kind: an archive extracted by a command to another place
# check: stdout
import os, subprocess, tarfile
open("precious.txt", "w").write("lost\n")
with tarfile.open("a.tar", "w") as archive:
    archive.add("precious.txt")
os.environ["TO"] = os.environ["VICTIM"]
os.environ["TO"] = "."
subprocess.run("tar xf a.tar -C $TO", shell=True)
print(open("precious.txt").read())
