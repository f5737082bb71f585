# exit: 9
import os, sys, atexit
atexit.register(print, "never printed")
try:
    print("flushed", flush=True)
    os._exit(9)
finally:
    print("never")
