import sys, atexit
atexit.register(print, "atexit ran")
def quit_early():
    print("quitting")
    sys.exit()
quit_early()
print("never")
