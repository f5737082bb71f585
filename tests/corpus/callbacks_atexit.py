import atexit

def goodbye(name, mark="!"):
    print("goodbye", name + mark)

@atexit.register
def first_registered():
    print("last to run")

atexit.register(goodbye, "Ann")
atexit.register(goodbye, "Bob", mark="?")
atexit.register(lambda: atexit.register(print, "registered while exiting"))
def removed(): print("never")
atexit.register(removed)
atexit.unregister(removed)
print("end of program")
