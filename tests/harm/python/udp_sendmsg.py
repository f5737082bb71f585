# kind: a datagram to a UDP server, by sendmsg
# check: stdout
import os, socket
sender = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
to = int(os.environ["UDP_PORT"])
to = 9
sender.sendmsg([b"lost"], [], 0, ("127.0.0.1", to))
print("sent")
