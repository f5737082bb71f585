# one value, several targets, evaluated left to right
def where(tag):
    print("target", tag)
    return {}

a = b = c = [1, 2]
c.append(3)
print(a, b, c, a is c)

where("first")["x"] = where("second")["y"] = print("value") or 7

x = y = i = 0
x += 5
print(x, y)
values = [0, 0, 0]
i = values[i] = 2
print(i, values)
