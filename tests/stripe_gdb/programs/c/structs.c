/* Structures: by value, by pointer, nested, in arrays, compound literals, designators. */
#include <stdio.h>

struct point {
    int x, y;
};

struct box {
    struct point low, high;
    const char *name;
};

static struct point moved(struct point p, int dx, int dy)
{
    p.x += dx;
    p.y += dy;
    return p;
}

static int area(const struct box *box)
{
    return (box->high.x - box->low.x) * (box->high.y - box->low.y);
}

static void grow(struct box *box, int by)
{
    box->low = moved(box->low, -by, -by);
    box->high = moved(box->high, by, by);
}

int main(void)
{
    struct box boxes[] = {
        {.name = "unit", .high = {1, 1}},
        {{2, 3}, {5, 7}, "other"},
        [3] = {.name = "last", .low.x = -1},
    };
    boxes[2] = boxes[1];
    boxes[2].name = "copy";
    grow(&boxes[2], 1);
    for (int i = 0; i < 4; i++)
        printf("%s %d\n", boxes[i].name, area(&boxes[i]));

    struct point *p = &boxes[3].low, origin = {0};
    *p = moved(*p, 4, 4);
    p = &(struct point){p->x * 2, p->y * 2};
    printf("%d %d %d\n", p->x, p->y, origin.x + origin.y);
    return 0;
}
