# kind: a datagram to a UNIX socket by a relative path
# check: stdout
import os, socket
home = os.getcwd()
mine = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
mine.bind("datagram")
sender = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
os.chdir(os.path.dirname(os.environ["DATAGRAM_SOCKET"]))
os.chdir(home)
sender.sendto(b"lost", "datagram")
print(mine.recv(10, socket.MSG_DONTWAIT))
