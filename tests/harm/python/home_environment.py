# kind: HOME set for a command, which writes there
# check: stdout
import os
os.mkdir("home")
os.environ["HOME"] = os.path.abspath("home")
os.system("echo lost >> ~/.profile")
print(os.listdir("home"))
