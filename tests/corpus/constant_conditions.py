if 0:
    print("never 0")
if 1:
    print("always")
else:
    print("never else")
if "":
    x = 1
elif None:
    x = 2
elif ...:
    x = 3
else:
    x = 4
print(x)
while 0:
    print("never")
else:
    print("while else")
n = 0
while 1:
    n += 1
    if n == 3: break
print(n)
while True:
    n -= 1
    if not n:
        print("down")
        break
if not __debug__:
    print("optimised")
if True and n == 0:
    print("folded")
if __debug__ and 5: print("debug")
while False: pass
print("a" if 1 else "b", "c" if [] else "d")
assert 1
