# kind: a UNIX socket bound to a relative path in another folder
# check: stdout
import os, socket
home = os.getcwd()
os.chdir(os.environ["VICTIM"])
os.chdir(home)
listener = socket.socket(socket.AF_UNIX)
listener.bind("socket")
print(os.path.exists("socket"))
