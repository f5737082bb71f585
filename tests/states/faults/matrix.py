# fail: 2 3 1
# pass: 2 2 1
import sys


def make(rows, columns, value):
    row = [value] * columns
    return [list(row) for _ in range(rows)]


def transposed(matrix):
    rows, columns = len(matrix), len(matrix[0])
    found = make(rows, columns, 0)  # FAULT: make(columns, rows, 0)
    for i in range(rows):
        for j in range(columns):
            found[j][i] = matrix[i][j]
    return found


rows, columns, value = map(int, sys.argv[1:])
matrix = make(rows, columns, value)
print(transposed(matrix))
