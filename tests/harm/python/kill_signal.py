# kind: another signal to a process that was only asked for
# check: stdout
import os, signal
number = int(os.environ["SENTINEL_PID"])
sent = signal.SIGUSR1
sent = 0
try:
    os.kill(number, sent)
except ProcessLookupError:
    pass
print("asked")
