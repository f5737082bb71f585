# kind: a socket that a child keeps open behind the program's back
# check: stdout
import os, socket, subprocess
listener = socket.socket(socket.AF_UNIX)
listener.bind("\0left-listening")
listener.listen()
os.set_inheritable(listener.fileno(), True)
subprocess.Popen(["setsid", "sleep", "600"], close_fds=False, stdout=subprocess.DEVNULL)
print("listening")
