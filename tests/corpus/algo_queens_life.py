def queens(n, row=0, cols=()):
    if row == n:
        yield cols
        return
    for c in range(n):
        if all(c != k and abs(c - k) != row - r for r, k in enumerate(cols)):
            yield from queens(n, row + 1, cols + (c,))

solutions = list(queens(5))
print(len(solutions))
for c in solutions[0]:
    print("." * c + "Q" + "." * (4 - c))

def step(cells):
    counts = {}
    for x, y in cells:
        for dx in (-1, 0, 1):
            for dy in (-1, 0, 1):
                if dx or dy:
                    counts[x + dx, y + dy] = counts.get((x + dx, y + dy), 0) + 1
    return {c for c, n in counts.items() if n == 3 or n == 2 and c in cells}

cells = {(1, 0), (2, 1), (0, 2), (1, 2), (2, 2)}
for generation in range(3):
    print("generation", generation)
    for y in range(4):
        print("".join("#" if (x, y) in cells else "." for x in range(4)))
    cells = step(cells)
