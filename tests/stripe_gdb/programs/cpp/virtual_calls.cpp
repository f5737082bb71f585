// Virtual calls: abstract base, overriding, calling the base, calls during construction.
#include <iostream>
#include <memory>
#include <string>
#include <vector>

class Shape {
public:
    Shape() { describe(); }
    virtual ~Shape() { describe(); }
    virtual int area() const = 0;
    virtual std::string name() const { return "shape"; }
    void describe() const { std::cout << name() << ' '; }
};

class Rectangle : public Shape {
    int width, height;

public:
    Rectangle(int width, int height) : width(width), height(height) { describe(); }
    int area() const override { return width * height; }
    std::string name() const override { return "rectangle of " + Shape::name(); }
};

class Square final : public Rectangle {
public:
    explicit Square(int side) : Rectangle(side, side) {}
    ~Square() override { std::cout << "(square gone) "; }
    std::string name() const override {
        return area() > 10 ? "big square" : "square";
    }
};

int main() {
    std::vector<std::unique_ptr<Shape>> shapes;
    shapes.push_back(std::make_unique<Rectangle>(2, 3));
    shapes.push_back(std::make_unique<Square>(4));
    shapes.push_back(std::make_unique<Square>(2));
    std::cout << '\n';
    int total = 0;
    for (const auto &shape : shapes) {
        total += shape->area();
        shape->describe();
    }
    std::cout << "\ntotal " << total << '\n';
    shapes.clear();
    std::cout << '\n';
}
