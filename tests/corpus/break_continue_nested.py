found = []
for i in range(1, 6):
    for j in range(1, 6):
        if j == i:
            continue
        if i * j > 10:
            break
        for k in (1, 2):
            if k == 2 and i == 1: break
            found.append((i, j, k))
    else:
        found.append(("all", i))
        continue
    if i == 4:
        break
else:
    print("outer finished")
print(len(found), found[:6], found[-1])
n = 0
while n < 20:
    n += 1
    for d in (2, 3, 5):
        if n % d == 0:
            break
    else:
        print("coprime", n)
        continue
    while n % 7:
        n += 1
        if n % 4 == 0:
            break
    print("at", n)
