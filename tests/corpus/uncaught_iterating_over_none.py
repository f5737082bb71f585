# exit: 1
def f(x):
    for a in x:
        print(a)
f(None)
