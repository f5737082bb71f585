# kind: rm -rf $D/tmp/*, with D unset
# check: stdout
import os
os.makedirs("build/tmp/a")
os.environ["D"] = "build"
os.system("rm -rf $D/tmp/*")
print(os.listdir("build/tmp"))
