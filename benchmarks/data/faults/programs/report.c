/* Reads sales as comma separated values and prints a report for each region. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_SALES 100
#define MAX_REGIONS 10

struct sale {
    char region[20];
    char product[20];
    int quantity;
    double price;
    double discount;
};

struct region {
    char name[20];
    int sales;
    int quantity;
    double total;
    double best;
    const char *best_product;
};

static struct sale sales[MAX_SALES];
static int sale_count;
static struct region regions[MAX_REGIONS];
static int region_count;
static int skipped;

/* Cuts a line at its commas; quoted fields may hold commas. */
static int split(char *line, char *fields[], int limit)
{
    int count = 0;
    char *p = line;

    while (count < limit) {
        char *start = p;
        char *to = p;
        int quoted = 0;
        while (*p != '\0' && *p != '\n' && (quoted || *p != ',')) {
            if (*p == '"')
                quoted = !quoted;
            else
                *to++ = *p;
            p++;
        }
        fields[count] = start;
        count++;
        if (*p == ',') {
            p++;
            *to = '\0';
        } else {
            *to = '\0';
            break;
        }
    }
    return count;
}

static int read_sale(char *line, struct sale *into)
{
    char *fields[6];
    int count = split(line, fields, 6);

    if (count < 4)
        return 0;
    strncpy(into->region, fields[0], 19);
    strncpy(into->product, fields[1], 19);
    into->quantity = atoi(fields[2]);
    into->price = atof(fields[3]);
    into->discount = 0;
    if (count > 4)
        into->discount = atof(fields[4]) / 100;
    if (into->quantity <= 0 || into->price < 0)
        return 0;
    return 1;
}

static void read_sales(FILE *stream)
{
    char line[200];
    int number = 0;

    while (fgets(line, sizeof line, stream) != NULL) {
        number++;
        if (number == 1)
            continue;
        if (line[0] == '#' || line[0] == '\n')
            continue;
        if (sale_count < MAX_SALES && read_sale(line, &sales[sale_count]))
            sale_count++;
        else
            skipped++;
    }
}

static struct region *region_of(const char *name)
{
    int i;
    struct region *made;

    for (i = 0; i < region_count; i++)
        if (strcmp(regions[i].name, name) == 0)
            return &regions[i];
    made = &regions[region_count++];
    strcpy(made->name, name);
    made->best = -1;
    return made;
}

static double worth(const struct sale *sale)
{
    double whole = sale->quantity * sale->price;

    return whole - whole * sale->discount;
}

static void add_up(void)
{
    int i;

    for (i = 0; i < sale_count; i++) {
        struct region *region = region_of(sales[i].region);
        double value = worth(&sales[i]);
        region->sales++;
        region->quantity += sales[i].quantity;
        region->total += value;
        if (value > region->best) {
            region->best = value;
            region->best_product = sales[i].product;
        }
    }
}

static int by_total(const void *a, const void *b)
{
    const struct region *one = a;
    const struct region *two = b;

    if (one->total > two->total)
        return -1;
    if (one->total < two->total)
        return 1;
    return strcmp(one->name, two->name);
}

static void print_report(void)
{
    double all = 0;
    int i;

    qsort(regions, region_count, sizeof regions[0], by_total);
    for (i = 0; i < region_count; i++)
        all += regions[i].total;
    printf("%-10s %5s %8s %10s %6s\n", "region", "sales", "quantity", "total", "share");
    for (i = 0; i < region_count; i++) {
        struct region *region = &regions[i];
        double share = 100 * region->total / all;
        printf("%-10s %5d %8d %10.2f %5.1f%%\n", region->name, region->sales, region->quantity,
               region->total, share);
        printf("  best: %s (%.2f)\n", region->best_product, region->best);
        printf("  mean: %.2f\n", region->total / region->sales);
    }
    printf("all: %.2f, skipped: %d\n", all, skipped);
}

int main(void)
{
    read_sales(stdin);
    if (sale_count == 0) {
        printf("no sales\n");
        return 1;
    }
    add_up();
    print_report();
    return 0;
}
