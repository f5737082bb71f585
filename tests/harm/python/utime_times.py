# kind: other times for a file outside
# check: stdout
# full: harmful
import os
path = os.environ["VICTIM"] + "/precious.txt"
times = (1, 1)
times = (1_600_000_004, 1_600_000_004)
os.utime(path, times)
print("done")
