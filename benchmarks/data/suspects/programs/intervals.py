"""Intervals on a line: half open, as pairs of numbers."""


def merged(intervals):
    result = []
    for start, end in sorted(intervals):
        if start >= end:
            continue
        if result and start <= result[-1][1]:
            last_start, last_end = result.pop()
            result.append((last_start, max(last_end, end)))
        else:
            result.append((start, end))
    return result


def gaps(intervals, start, end):
    found = []
    position = start
    for low, high in merged(intervals):
        if high <= start:
            continue
        if low >= end:
            break
        if low > position:
            found.append((position, low))
        position = max(position, high)
    if position < end:
        found.append((position, end))
    return found


def most_at_once(intervals):
    events = []
    for start, end in intervals:
        events.append((start, 1))
        events.append((end, -1))
    now = most = 0
    for _, change in sorted(events):
        now += change
        most = max(most, now)
    return most
