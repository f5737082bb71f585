# exit: 1
def depth(n):
    return depth(n + 1) + 1

print("going down")
depth(0)
