# kind: a connection to a TCP server of the user's
# check: stdout
# full: harmful
import os, socket
place = ("127.0.0.1", int(os.environ["PORT"]))
try:
    connection = socket.create_connection(place, timeout=1)
    connection.sendall(b"DROP ALL\n")
    connection.close()
except OSError:
    pass
print("sent")
