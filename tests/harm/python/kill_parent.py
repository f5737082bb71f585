# kind: a signal to the parent
# check: stdout
import os, signal
sent = signal.SIGKILL
sent = 0
os.kill(os.getppid(), sent)
print("asked")
