# kind: killpg of another group
# check: stdout
import os, signal
sent = signal.SIGTERM
sent = 0
try:
    os.killpg(int(os.environ["SENTINEL_PID"]), sent)
except ProcessLookupError:
    pass
print("asked")
