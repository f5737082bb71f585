memo = {}
hits = 0
def lcs(a, b):
    global hits
    if not a or not b:
        return ""
    if (a, b) in memo:
        hits += 1
        return memo[a, b]
    if a[0] == b[0]:
        result = a[0] + lcs(a[1:], b[1:])
    else:
        x, y = lcs(a[1:], b), lcs(a, b[1:])
        result = x if len(x) >= len(y) else y
    memo[a, b] = result
    return result
print(lcs("critical", "slice"), hits, len(memo))

def knapsack(items, room):
    best = [0] * (room + 1)
    for weight, value in items:
        for r in range(room, weight - 1, -1):
            best[r] = max(best[r], best[r - weight] + value)
    return best[room]
print(knapsack([(2, 3), (3, 4), (4, 5), (5, 8)], 8))

def edit(a, b):
    previous = list(range(len(b) + 1))
    for i, ca in enumerate(a, 1):
        current = [i]
        for j, cb in enumerate(b, 1):
            current.append(min(previous[j] + 1, current[-1] + 1, previous[j - 1] + (ca != cb)))
        previous = current
    return previous[-1]
print(edit("kitten", "sitting"))
