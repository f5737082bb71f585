# kind: the limits of another process
# check: stdout
# full: harmful
import os, resource
number = int(os.environ["SENTINEL_PID"])
try:
    resource.prlimit(number, resource.RLIMIT_CORE, (0, 0))
    resource.prlimit(number, resource.RLIMIT_NOFILE, (7, 7))
except (ProcessLookupError, PermissionError):
    pass
print("limited")
