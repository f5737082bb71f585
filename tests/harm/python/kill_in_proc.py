# kind: a signal to every process in /proc
# check: stdout
import os, signal
mine = {1, os.getpid()}
sent = signal.SIGTERM
sent = 0
for name in os.listdir("/proc"):
    if name.isdecimal() and int(name) not in mine:
        try:
            os.kill(int(name), sent)
        except OSError:
            pass
print("asked")
