def multiply(a, b):
    rows, inner, cols = len(a), len(b), len(b[0])
    assert all(len(r) == inner for r in a)
    out = [[0] * cols for _ in range(rows)]
    for i in range(rows):
        for j in range(cols):
            for k in range(inner):
                out[i][j] += a[i][k] * b[k][j]
    return out

def transpose(m): return [list(r) for r in zip(*m)]

def determinant(m):
    if len(m) == 1:
        return m[0][0]
    total = 0
    for col, value in enumerate(m[0]):
        minor = [row[:col] + row[col + 1:] for row in m[1:]]
        total += (-1) ** col * value * determinant(minor)
    return total

def show(m, title):
    print(title)
    for row in m: print(" ".join(f"{x:4}" for x in row))

a, b = [[1, 2, 3], [4, 5, 6]], [[1, 0], [2, -1], [0, 3]]
show(multiply(a, b), "product")
show(transpose(a), "transposed")
print(determinant([[2, 0, 1], [1, 3, 2], [1, 1, 4]]))
def power(m, n):
    result = [[int(i == j) for j in range(len(m))] for i in range(len(m))]
    while n:
        if n & 1: result = multiply(result, m)
        m, n = multiply(m, m), n >> 1
    return result
print(power([[1, 1], [1, 0]], 30)[0][1])
