class Gate:
    def __init__(self, name): self.name = name
    def __enter__(self):
        print("open", self.name)
        return self
    def __exit__(self, *exc):
        print("close", self.name, exc[0].__name__ if exc[0] else None)

for i in range(5):
    with Gate(i) as g:
        if i == 1:
            continue
        with Gate(f"{i}b"):
            if i == 2:
                continue
            if i == 3:
                break
        print("end of", g.name)
n = 3
while n:
    n -= 1
    with Gate("w"), Gate("v"):
        if n == 1:
            break
def search(rows):
    for row in rows:
        with Gate(row):
            for ch in row:
                with Gate(ch):
                    if ch == "y":
                        return row
print(search(["ax", "by", "cz"]))
