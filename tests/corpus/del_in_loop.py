names = ["ann", "bo", "cy", "di"]
index = {n: i for i, n in enumerate(names)}
for n in list(index):
    if len(n) == 2:
        del index[n]
    else:
        print("keep", n)
print(index)
for k in range(3):
    try:
        del k
        print(k)
    except NameError:
        print("k is unbound in this round")
k = "back"
del k
print("k" in globals())
for i in range(6, 0, -1):
    if i % 2:
        del names[-1:]
        print(i, names)
