# fail: 2 3 1 4
# pass: 2 3 1 5
import sys

known = {}


def area(width, height):
    key = width + height  # FAULT: others have the same
    if key not in known:
        known[key] = width * height
    found = known[key]
    return found


sizes = [int(each) for each in sys.argv[1:]]
for place in range(0, len(sizes), 2):
    wide, high = sizes[place], sizes[place + 1]
    told = area(wide, high)
    assert told == wide * high, told
