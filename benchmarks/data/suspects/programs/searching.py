"""Searching and selecting in lists."""


def bisect(items, wanted):
    low, high = 0, len(items)
    while low < high:
        middle = (low + high) // 2
        if items[middle] < wanted:
            low = middle + 1
        else:
            high = middle
    return low


def find_range(items, wanted):
    first = bisect(items, wanted)
    if first == len(items) or items[first] != wanted:
        return None
    last = first
    while last + 1 < len(items) and items[last + 1] == wanted:
        last += 1
    return first, last


def select(items, rank):
    items = list(items)
    while True:
        pivot = items[len(items) // 2]
        smaller = [item for item in items if item < pivot]
        equal = [item for item in items if item == pivot]
        if rank < len(smaller):
            items = smaller
        elif rank < len(smaller) + len(equal):
            return pivot
        else:
            rank -= len(smaller) + len(equal)
            items = [item for item in items if item > pivot]


def peaks(values):
    found = []
    for index in range(1, len(values) - 1):
        left, here, right = values[index - 1 : index + 2]
        if here > left and here >= right:
            found.append(index)
    return found


def longest_run(values):
    best = length = 0
    start = best_start = 0
    for index, value in enumerate(values):
        if index > 0 and value == values[index - 1] + 1:
            length += 1
        else:
            start = index
            length = 1
        if length > best:
            best = length
            best_start = start
    return values[best_start : best_start + best]


def two_sum(values, total):
    seen = {}
    for index, value in enumerate(values):
        other = total - value
        if other in seen:
            return seen[other], index
        if value not in seen:
            seen[value] = index
    return None


def largest_sum(values):
    best = values[0]
    current = 0
    for value in values:
        if current < 0:
            current = 0
        current += value
        best = max(best, current)
    return best
