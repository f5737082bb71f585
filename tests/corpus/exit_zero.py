# exit: 0
import sys
print("before")
try:
    sys.exit(0)
except SystemExit as e:
    print("caught", e.code)
    raise
finally:
    print("finally")
print("never")
