import threading
def broken():
    raise RuntimeError("thread died")
def hook(args):
    print("hook", args.exc_type.__name__, args.exc_value, args.thread.name)
threading.excepthook = hook
t = threading.Thread(target=broken, name="T1")
t.start()
t.join()
print("main goes on")
