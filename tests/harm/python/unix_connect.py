# kind: a connection to a UNIX socket by its path
# check: stdout
# full: harmful
import os, socket
connection = socket.socket(socket.AF_UNIX)
try:
    connection.connect(os.environ["UNIX_SOCKET"])
    connection.sendall(b"shutdown\n")
except OSError:
    pass
print("sent")
