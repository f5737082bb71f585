# exit: 1
def cleanup(resource):
    print("cleanup", resource)
    raise OSError("disk full")

def work():
    try:
        print("working")
        return {"a": 1}["b"]
    except KeyError:
        cleanup("tmp")
    finally:
        print("finally")

work()
