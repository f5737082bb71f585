# fail: 12 100
# pass: 12 99
import sys


def bucket_of(value, count):
    bucket = value * count // 100  # FAULT: there is none for 100
    return bucket


counts = [0] * 5
for word in sys.argv[1:]:
    value = int(word)
    place = bucket_of(value, len(counts))
    counts[place] += 1
print(counts)
