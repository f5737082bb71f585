"""Matrices as lists of rows."""


def transposed(matrix):
    result = []
    for column in range(len(matrix[0])):
        result.append([row[column] for row in matrix])
    return result


def product(left, right):
    rows, inner, columns = len(left), len(right), len(right[0])
    if len(left[0]) != inner:
        raise ValueError("sizes")
    result = [[0] * columns for _ in range(rows)]
    for i in range(rows):
        for j in range(columns):
            for k in range(inner):
                result[i][j] += left[i][k] * right[k][j]
    return result


def determinant(matrix):
    size = len(matrix)
    if size == 1:
        return matrix[0][0]
    total = 0
    for column in range(size):
        minor = [row[:column] + row[column + 1 :] for row in matrix[1:]]
        sign = -1 if column % 2 else 1
        total += sign * matrix[0][column] * determinant(minor)
    return total


def spiral(matrix):
    result = []
    top, bottom = 0, len(matrix) - 1
    left, right = 0, len(matrix[0]) - 1
    while top <= bottom and left <= right:
        for column in range(left, right + 1):
            result.append(matrix[top][column])
        top += 1
        for row in range(top, bottom + 1):
            result.append(matrix[row][right])
        right -= 1
        if top <= bottom:
            for column in range(right, left - 1, -1):
                result.append(matrix[bottom][column])
            bottom -= 1
        if left <= right:
            for row in range(bottom, top - 1, -1):
                result.append(matrix[row][left])
            left += 1
    return result


def rotated(matrix):
    rows, columns = len(matrix), len(matrix[0])
    result = [[None] * rows for _ in range(columns)]
    for i in range(rows):
        for j in range(columns):
            result[j][rows - 1 - i] = matrix[i][j]
    return result


def neighbours(grid, row, column):
    count = 0
    for i in range(row - 1, row + 2):
        for j in range(column - 1, column + 2):
            if (i, j) == (row, column):
                continue
            if 0 <= i < len(grid) and 0 <= j < len(grid[0]):
                count += grid[i][j]
    return count


def generation(grid):
    result = []
    for row in range(len(grid)):
        line = []
        for column in range(len(grid[0])):
            count = neighbours(grid, row, column)
            if count == 3 or (count == 2 and grid[row][column]):
                line.append(1)
            else:
                line.append(0)
        result.append(line)
    return result


def saddle_points(matrix):
    found = []
    for i, row in enumerate(matrix):
        for j, value in enumerate(row):
            column = [other[j] for other in matrix]
            if value == max(row) and value == min(column):
                found.append((i, j))
    return found
