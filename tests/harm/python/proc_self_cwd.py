# kind: /proc/self/cwd after a change of directory
# check: stdout
import os
home = os.getcwd()
os.chdir(os.environ["VICTIM"])
os.chdir(home)
os.system("echo lost > /proc/self/cwd/precious.txt")
print(open("precious.txt").read())
