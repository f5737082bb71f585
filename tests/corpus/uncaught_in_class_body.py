# exit: 1
print("start")
class Settings:
    debug = True
    names = ["a", "b"]
    size = len(names)
    print("size", size)
    first = names[size]
    print("not reached")
