"""Edit distance, common subsequences, change, knapsacks: tables that are filled."""


def edit_distance(one, other):
    row = list(range(len(other) + 1))
    for i, left in enumerate(one, 1):
        last, row = row, [i]
        for j, right in enumerate(other, 1):
            cost = 0 if left == right else 1
            row.append(min(last[j] + 1, row[j - 1] + 1, last[j - 1] + cost))
    return row[-1]


def common_subsequence(one, other):
    table = [[0] * (len(other) + 1) for _ in range(len(one) + 1)]
    for i in range(len(one)):
        for j in range(len(other)):
            if one[i] == other[j]:
                table[i + 1][j + 1] = table[i][j] + 1
            else:
                table[i + 1][j + 1] = max(table[i][j + 1], table[i + 1][j])
    i, j = len(one), len(other)
    result = []
    while i and j:
        if one[i - 1] == other[j - 1]:
            result.append(one[i - 1])
            i -= 1
            j -= 1
        elif table[i - 1][j] >= table[i][j - 1]:
            i -= 1
        else:
            j -= 1
    return "".join(reversed(result))


def fewest_coins(amount, coins):
    best = [0] + [None] * amount
    for total in range(1, amount + 1):
        for coin in coins:
            if coin > total:
                continue
            before = best[total - coin]
            if before is None:
                continue
            if best[total] is None or before + 1 < best[total]:
                best[total] = before + 1
    return best[amount]


def ways_to_pay(amount, coins):
    ways = [1] + [0] * amount
    for coin in coins:
        for total in range(coin, amount + 1):
            ways[total] += ways[total - coin]
    return ways[amount]


def knapsack(items, room):
    best = [0] * (room + 1)
    for weight, value in items:
        for space in range(room, weight - 1, -1):
            candidate = best[space - weight] + value
            if candidate > best[space]:
                best[space] = candidate
    return best[room]


def increasing(values):
    if not values:
        return 0
    lengths = []
    for index, value in enumerate(values):
        longest = 0
        for before in range(index):
            if values[before] < value and lengths[before] > longest:
                longest = lengths[before]
        lengths.append(longest + 1)
    return max(lengths)


def pascal(rows):
    result = []
    row = [1]
    for _ in range(rows):
        result.append(row)
        row = [1] + [row[i] + row[i + 1] for i in range(len(row) - 1)] + [1]
    return result
