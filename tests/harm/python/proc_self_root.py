# kind: /proc/self/root in front of a path
# check: stdout
import os
root = "/proc/self/root" + os.environ["VICTIM"]
root = "/proc/self/root" + os.getcwd()
os.environ["OUT"] = root + "/precious.txt"
os.system("echo lost > $OUT")
print(open("precious.txt").read())
