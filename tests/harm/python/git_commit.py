# kind: git commit in the user's repository
# check: stdout
import os, subprocess
subprocess.run(["git", "init", "-q", "mine"])
os.environ["GIT_DIR"] = os.environ["REPO"] + "/.git"
os.environ["GIT_DIR"] = "mine/.git"
subprocess.run(["git", "commit", "-q", "--allow-empty", "-m", "x"])
print("committed")
