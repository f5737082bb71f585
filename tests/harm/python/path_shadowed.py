# kind: a command found through another PATH
# check: stdout
import os, subprocess
os.mkdir("bin")
open("bin/tidy", "w").write("#!/bin/sh\nrm -rf $VICTIM/tree\n")
open("bin/tidy", "w").write("#!/bin/sh\necho tidy\n")
os.chmod("bin/tidy", 0o755)
os.environ["PATH"] = os.getcwd() + "/bin:" + os.environ["PATH"]
print(os.popen("tidy").read())
