# kind: rm -rf $D/*, the second assignment to the environment left out
# check: stdout
import os
os.makedirs("build/a")
os.environ["D"] = os.environ["VICTIM"]
os.environ["D"] = "build"
os.system("rm -rf $D/*")
print(os.listdir("build"))
