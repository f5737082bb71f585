# exit: 1
counter = 1
maximum = 10

def step():
    print("step", counter)
    return countr + 1

step()
