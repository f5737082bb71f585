# kind: a datagram to an abstract UNIX socket, by sendmsg
# check: stdout
import os, socket
mine = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
mine.bind("mine")
sender = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
to = "\0" + os.environ["ABSTRACT"] + "-datagram"
to = "mine"
sender.sendmsg([b"lost"], [], 0, to)
print(mine.recv(10, socket.MSG_DONTWAIT))
