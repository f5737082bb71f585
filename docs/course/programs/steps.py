net = 80
gross = net * 2
rest = gross - net
share = rest // 4
a = 2
b = 3
f = a * 21
print("f =", f)
