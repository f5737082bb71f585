# kind: a signal through a descriptor of a process
# check: stdout
import os, signal
sent = signal.SIGUSR2
sent = 0
number = int(os.environ["SENTINEL_PID"])
try:
    signal.pidfd_send_signal(os.pidfd_open(number), sent)
except ProcessLookupError:
    pass
print("asked")
