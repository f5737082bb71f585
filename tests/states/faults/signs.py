# fail: 5 - 3
# pass: 5 + 3
import sys


def apply(sign, value, number):
    if sign == "-":
        value = number - value  # FAULT: the wrong way round
    else:
        value = value + number
    return value


words = sys.argv[1:]
value = int(words[0])
for place in range(1, len(words), 2):
    value = apply(words[place], value, int(words[place + 1]))
assert value == eval("".join(words)), value
