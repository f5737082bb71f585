# kind: state that an earlier run left outside: a slice that only reads it is a false certificate
# check: stdout
# full: harmful
# keep: 8
import os
path = os.environ["VICTIM"] + "/state"
done = 0
os.system(f"echo value > {path}")
done = 1
print(open(path).read())
