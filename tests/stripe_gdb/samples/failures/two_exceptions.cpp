#include <stdexcept>
static int numerator = -4, denominator = 7;
static int divide(int a, int b)
{
    b == 0 ? throw std::domain_error("zero") : a < 0 ? throw std::range_error("less") : 0;
    return a / b;
}
int main()
{
    numerator = -5;
    denominator = 0;
    return divide(numerator, denominator);
}
