/* Points and polygons: area, perimeter, convex hull, transformations by matrices. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_POINTS 50

struct point {
    double x;
    double y;
};

struct polygon {
    int size;
    struct point points[MAX_POINTS];
};

typedef double matrix[3][3];

static void identity(matrix m)
{
    int i, j;

    for (i = 0; i < 3; i++)
        for (j = 0; j < 3; j++)
            m[i][j] = i == j ? 1 : 0;
}

static void multiply(matrix a, matrix b, matrix result)
{
    int i, j, k;
    matrix sum;

    for (i = 0; i < 3; i++) {
        for (j = 0; j < 3; j++) {
            sum[i][j] = 0;
            for (k = 0; k < 3; k++)
                sum[i][j] += a[i][k] * b[k][j];
        }
    }
    memcpy(result, sum, sizeof sum);
}

static void move(matrix m, double dx, double dy)
{
    matrix step;

    identity(step);
    step[0][2] = dx;
    step[1][2] = dy;
    multiply(step, m, m);
}

static void turn(matrix m, double degrees)
{
    matrix step;
    double angle = degrees * 3.14159265358979 / 180;

    identity(step);
    step[0][0] = cos(angle);
    step[0][1] = -sin(angle);
    step[1][0] = sin(angle);
    step[1][1] = cos(angle);
    multiply(step, m, m);
}

static void stretch(matrix m, double by)
{
    matrix step;

    identity(step);
    step[0][0] = by;
    step[1][1] = by;
    multiply(step, m, m);
}

static struct point transformed(matrix m, struct point p)
{
    struct point made;

    made.x = m[0][0] * p.x + m[0][1] * p.y + m[0][2];
    made.y = m[1][0] * p.x + m[1][1] * p.y + m[1][2];
    return made;
}

static double area(const struct polygon *shape)
{
    double twice = 0;
    int i;

    for (i = 0; i < shape->size; i++) {
        const struct point *p = &shape->points[i];
        const struct point *q = &shape->points[(i + 1) % shape->size];
        twice += p->x * q->y - q->x * p->y;
    }
    return fabs(twice) / 2;
}

static double distance(struct point a, struct point b)
{
    double dx = a.x - b.x;
    double dy = a.y - b.y;

    return sqrt(dx * dx + dy * dy);
}

static double perimeter(const struct polygon *shape)
{
    double sum = 0;
    int i;

    for (i = 0; i < shape->size; i++)
        sum += distance(shape->points[i], shape->points[(i + 1) % shape->size]);
    return sum;
}

static struct point center(const struct polygon *shape)
{
    struct point sum = {0, 0};
    int i;

    for (i = 0; i < shape->size; i++) {
        sum.x += shape->points[i].x;
        sum.y += shape->points[i].y;
    }
    sum.x /= shape->size;
    sum.y /= shape->size;
    return sum;
}

static int by_place(const void *a, const void *b)
{
    const struct point *p = a;
    const struct point *q = b;

    if (p->x != q->x)
        return p->x < q->x ? -1 : 1;
    if (p->y != q->y)
        return p->y < q->y ? -1 : 1;
    return 0;
}

static double cross(struct point o, struct point a, struct point b)
{
    return (a.x - o.x) * (b.y - o.y) - (a.y - o.y) * (b.x - o.x);
}

/* Andrew's monotone chain. */
static void hull(const struct polygon *shape, struct polygon *result)
{
    struct point sorted[MAX_POINTS];
    int size = shape->size;
    int count = 0;
    int lower;
    int i;

    memcpy(sorted, shape->points, sizeof sorted);
    qsort(sorted, size, sizeof sorted[0], by_place);
    for (i = 0; i < size; i++) {
        while (count >= 2
               && cross(result->points[count - 2], result->points[count - 1], sorted[i]) <= 0)
            count--;
        result->points[count++] = sorted[i];
    }
    lower = count + 1;
    for (i = size - 2; i >= 0; i--) {
        while (count >= lower
               && cross(result->points[count - 2], result->points[count - 1], sorted[i]) <= 0)
            count--;
        result->points[count++] = sorted[i];
    }
    result->size = count - 1;
}

static void print_point(const char *what, struct point p)
{
    printf("%s (%.3f, %.3f)\n", what, p.x + 0.0, p.y + 0.0);
}

int main(void)
{
    static struct polygon shape, outer;
    char command[20];
    matrix m;
    double a, b;
    int i;

    identity(m);
    while (scanf("%19s", command) == 1) {
        if (strcmp(command, "point") == 0) {
            if (scanf("%lf %lf", &a, &b) != 2)
                break;
            shape.points[shape.size].x = a;
            shape.points[shape.size].y = b;
            shape.size++;
        } else if (strcmp(command, "move") == 0) {
            if (scanf("%lf %lf", &a, &b) != 2)
                break;
            move(m, a, b);
        } else if (strcmp(command, "turn") == 0) {
            if (scanf("%lf", &a) != 1)
                break;
            turn(m, a);
        } else if (strcmp(command, "stretch") == 0) {
            if (scanf("%lf", &a) != 1)
                break;
            stretch(m, a);
        }
    }
    for (i = 0; i < shape.size; i++)
        shape.points[i] = transformed(m, shape.points[i]);
    printf("area %.3f\n", area(&shape));
    printf("perimeter %.3f\n", perimeter(&shape));
    print_point("center", center(&shape));
    hull(&shape, &outer);
    printf("hull of %d points, area %.3f\n", outer.size, area(&outer));
    for (i = 0; i < outer.size; i++)
        print_point(" ", outer.points[i]);
    return 0;
}
