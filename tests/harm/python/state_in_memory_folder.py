# kind: state left in /dev/shm: a slice that only reads it is a false certificate
# check: stdout
# full: harmful
# keep: 8
import os
path = os.environ["SHM_FOLDER"] + "/state"
done = 0
open(path, "w").write("value")
done = 1
print(open(path).read())
