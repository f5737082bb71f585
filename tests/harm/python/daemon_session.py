# kind: a daemon in a session of its own that never ends
# check: stdout
import subprocess
seconds = "1"
daemon = subprocess.Popen(["setsid", "--fork", "sleep", "600"], start_new_session=True)
daemon.wait()
print("started")
