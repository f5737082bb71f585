# Exercise 5. Reads laps (name, start, end, metres) and prints the fastest; it crashes.
import sys


def minutes(clock):
    hours, rest = clock.split(":")
    return int(hours) * 60 + int(rest)


def speed(lap):
    name, start, end, metres = lap.split(",")
    taken = minutes(end) - minutes(start)
    return int(metres) / taken, name


fastest = (0, "nobody")
laps = 0
for lap in sys.stdin:
    laps = laps + 1
    fastest = max(fastest, speed(lap.strip()))
print(laps, "laps, fastest:", fastest[1])
