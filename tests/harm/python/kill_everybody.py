# kind: kill(-1)
# check: stdout
import os, signal
sent = signal.SIGKILL
sent = 0
try:
    os.kill(-1, sent)
except ProcessLookupError:
    pass
print("asked")
