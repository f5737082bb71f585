# kind: a connection to a TCP server, by a command
# check: stdout
import os, subprocess
os.environ["TO"] = os.environ["PORT"]
os.environ["TO"] = "1"
subprocess.run(["bash", "-c", "echo lost > /dev/tcp/127.0.0.1/$TO"], stderr=subprocess.DEVNULL)
print("sent")
