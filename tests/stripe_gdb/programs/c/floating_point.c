/* Floating point and the mathematical library: roots, sums, rounding. Needs -lm. */
#include <math.h>
#include <stdio.h>

static double bisect(double (*f)(double), double low, double high)
{
    while (high - low > 1e-9) {
        double middle = (low + high) / 2;
        if (f(low) * f(middle) <= 0)
            high = middle;
        else
            low = middle;
    }
    return low;
}

static double cubic(double x) { return x * x * x - 2; }

int main(void)
{
    printf("%.6f %.6f\n", bisect(cubic, 0, 2), bisect(cos, 1, 2));
    double values[] = {2, 4, 4, 4, 5, 5, 7, 9}, sum = 0, squares = 0;
    for (int i = 0; i < 8; i++) {
        sum += values[i];
        squares += pow(values[i], 2);
    }
    double mean = sum / 8;
    printf("mean %.3f deviation %.3f\n", mean, sqrt(squares / 8 - mean * mean));
    float single = 0.1f;
    single *= 3;
    printf("%d %d\n", single == 0.3f, isnan(0.0 / (sum - sum)));
    printf("%.1f %.1f %.1f\n", floor(-1.5), ceil(-1.5), fmod(7.5, 2));
    return 0;
}
