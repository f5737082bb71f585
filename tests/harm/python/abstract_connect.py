# kind: an abstract UNIX socket
# check: stdout
# full: harmful
import os, socket
connection = socket.socket(socket.AF_UNIX)
try:
    connection.connect("\0" + os.environ["ABSTRACT"])
    connection.sendall(b"shutdown\n")
except OSError:
    pass
print("sent")
