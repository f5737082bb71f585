# kind: a FIFO outside
# check: stdout
import os
folder = os.environ["VICTIM"]
folder = "."
os.mkfifo(folder + "/pipe")
print(os.path.exists("pipe"))
