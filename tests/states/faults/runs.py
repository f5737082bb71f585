# fail: aab
# pass: abb
import sys


def encode(text):
    runs = []
    last, count = text[0], 1
    for letter in text[1:]:
        if letter == last:
            count = count + 1
        else:
            runs.append((last, count))
            last, count = letter, 1
    if count > 1:  # FAULT: a last run of one letter is one, too
        runs.append((last, count))
    return runs


text = sys.argv[1]
runs = encode(text)
length = sum([count for _, count in runs])
assert length == len(text), length
