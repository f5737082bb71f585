# kind: rm of everything in a home that was not set anew
# check: stdout
import os, subprocess
os.makedirs("home/.cache")
home = dict(os.environ)
home = {"HOME": "home"}
subprocess.run("rm -rf $HOME/* $HOME/.[a-z]*", shell=True, env=home)
print(os.listdir("home"))
