# kind: unlink of itself
# check: stdout
import os, sys
print(os.path.exists(sys.argv[0]))
os.remove(__file__)
print(os.path.exists(sys.argv[0]))
