total = 0
odd = even = 0
history = []
for i in range(2000):
    total += i * i % 7
    if i % 2:
        odd += 1
    else:
        even += 1
    if i % 500 == 0:
        history.append(total)
print(total, odd, even, history)
n, steps = 27, 0
while n != 1:
    if n % 2 == 0: n //= 2
    else: n = 3 * n + 1
    steps += 1
print(steps)
text = ""
for i in range(1000):
    text += chr(97 + i % 26)
    if len(text) > 50:
        text = text[25:]
print(text)
