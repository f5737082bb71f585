/* Crashes: follows a null pointer it got from a search that found nothing. */
#include <stdio.h>
#include <string.h>

struct city {
    const char *name, *next;
    int distance;
};

static const struct city cities[] = {
    {"Passau", "Linz", 80}, {"Linz", "Wien", 185}, {"Wien", "Brno", 130},
};

static const struct city *find(const char *name)
{
    for (size_t i = 0; i < sizeof cities / sizeof *cities; i++)
        if (strcmp(cities[i].name, name) == 0)
            return &cities[i];
    return NULL;
}

int main(void)
{
    setvbuf(stdout, NULL, _IOLBF, 0);
    int distance = 0;
    const char *name = "Passau";
    for (;;) {
        const struct city *city = find(name);
        printf("%s: ", name);
        distance += city->distance;
        name = city->next;
        printf("%d\n", distance);
    }
}
