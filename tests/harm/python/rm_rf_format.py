# kind: rm -rf of a path put together
# check: stdout
import os
os.makedirs("build/a")
path = os.environ["VICTIM"]
path = "build"
os.system(f"rm -rf {path}/*")
print(os.listdir("build"))
