/* Callbacks from the C library: qsort with three orders, called while the library runs. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct person {
    char name[12];
    int age;
};

static int comparisons;

static int by_number(const void *a, const void *b)
{
    int left = *(const int *)a, right = *(const int *)b;
    comparisons++;
    return (left > right) - (left < right);
}

static int by_age(const void *a, const void *b)
{
    const struct person *left = a, *right = b;
    if (left->age != right->age)
        return right->age - left->age;
    return strcmp(left->name, right->name);
}

static int by_text(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

int main(void)
{
    int numbers[] = {5, -2, 9, 0, 3};
    qsort(numbers, 5, sizeof numbers[0], by_number);
    for (int i = 0; i < 5; i++)
        printf("%d ", numbers[i]);
    printf("%s\n", comparisons > 3 ? "sorted" : "too few");

    struct person people[] = {{"Eve", 30}, {"Bob", 41}, {"Al", 30}};
    qsort(people, 3, sizeof people[0], by_age);
    for (int i = 0; i < 3; i++)
        printf("%s %d\n", people[i].name, people[i].age);

    const char *words[] = {"pear", "apple", "fig"};
    qsort(words, 3, sizeof words[0], by_text);
    printf("%s %s %s\n", words[0], words[1], words[2]);
    return 0;
}
