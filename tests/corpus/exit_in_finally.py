# exit: 4
import os, sys
def work():
    try:
        raise RuntimeError("lost")
    finally:
        print("exiting")
        sys.exit(4)
try:
    work()
except RuntimeError:
    print("never")
