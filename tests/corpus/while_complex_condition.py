events = []

def more(x):
    events.append(x)
    return x < 3

i = 0
while more(i) and not (i == 2 and events[-1] == 5):
    i += 1
print(i, events)

lines = iter(["alpha", "beta", "", "gamma"])
while (line := next(lines)):
    print(line.upper())
print("rest", list(lines))

low, high, guesses = 0, 100, 0
secret = 73
while (middle := (low + high) // 2) != secret:
    guesses += 1
    if middle < secret: low = middle + 1
    else: high = middle - 1
print(middle, "after", guesses)

while not (
    i > 5
    or i % 2 == 0
):
    i += 1
print(i)
