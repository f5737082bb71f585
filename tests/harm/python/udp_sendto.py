# kind: a datagram to a UDP server
# check: stdout
# full: harmful
import os, socket
sender = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
to = int(os.environ["UDP_PORT"])
try:
    sender.sendto(b"lost", ("127.0.0.1", to))
except OSError:
    pass
print("sent")
