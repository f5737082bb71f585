import re

data = [4, 8, 15, 16, 23, 42]
if (n := len(data)) > 3:
    print("long list of", n)
while (item := data.pop()) > 10:
    print("popped", item)
print("stopped at", item, data)
squares = [y := 1, y ** 2 + 1, (y := y + 4) * 2]
print(squares, y)
total = 0
running = [total := total + v for v in range(5)]
print(running, total)
if any((witness := v) % 7 == 0 for v in range(1, 30)):
    print("witness", witness)
for line in ["key=value", "nothing", "a=b"]:
    if m := re.match(r"(\w+)=(\w+)", line):
        print(m[1], "->", m[2])
    else:
        print("no match in", line)

def f():
    print([last := k for k in "abc"], last)

f()
