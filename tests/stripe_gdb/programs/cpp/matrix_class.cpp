// A class with a heap array: bounds checked, an exception ends the program with status 3.
#include <iostream>
#include <stdexcept>
#include <vector>

class Matrix {
    int rows, columns;
    std::vector<int> cells;

public:
    Matrix(int rows, int columns) : rows(rows), columns(columns), cells(rows * columns) {}
    int &at(int row, int column) {
        if (row < 0 || row >= rows || column < 0 || column >= columns)
            throw std::out_of_range("no such cell");
        return cells[row * columns + column];
    }
    int height() const { return rows; }
    int width() const { return columns; }
};

static int border(Matrix &m) {
    int sum = 0;
    for (int i = 0; i < m.height(); i++) {
        sum += m.at(i, 0);
        sum += m.at(i, m.height() - 1); // the fault: width
    }
    return sum;
}

int main() {
    try {
        for (int width = 4; width > 1; width--) {
            Matrix m(3, width);
            for (int row = 0; row < 3; row++)
                for (int column = 0; column < width; column++)
                    m.at(row, column) = row + column;
            std::cout << width << ": " << border(m) << std::endl;
        }
    } catch (const std::out_of_range &error) {
        std::cerr << "error: " << error.what() << '\n';
        return 3;
    }
}
