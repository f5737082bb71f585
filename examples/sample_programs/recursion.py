# Run: stripe trace recursion.py --check 'stdout:/^coins/'
# The same line runs in many activations: the slice shows which of the recursive calls the answer needs.
calls = 0
deepest = 0


def fewest(amount, coins, depth=0):
    global calls, deepest
    calls += 1
    deepest = max(deepest, depth)
    if amount == 0:
        return []
    best = None
    for coin in coins:
        if coin > amount:
            continue
        rest = fewest(amount - coin, coins, depth + 1)
        if best is None or len(rest) + 1 < len(best):
            best = [coin] + rest
    return best


coins = [1, 3, 4]
amount = 6
answer = fewest(amount, coins)
print("amount", amount)
print("coins ", answer)
print("calls ", calls)
print("depth ", deepest)
