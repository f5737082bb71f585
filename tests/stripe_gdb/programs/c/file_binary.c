/* A binary file of records: seek, overwrite in place, end of file. */
#include <stdio.h>
#include <string.h>

struct record {
    char name[8];
    int amount;
};

static long find(FILE *file, const char *name)
{
    struct record record;
    rewind(file);
    while (fread(&record, sizeof record, 1, file) == 1)
        if (strcmp(record.name, name) == 0)
            return ftell(file) - (long)sizeof record;
    return -1;
}

static int pay(FILE *file, const char *name, int amount)
{
    long place = find(file, name);
    if (place < 0)
        return 0;
    struct record record;
    fseek(file, place, SEEK_SET);
    if (fread(&record, sizeof record, 1, file) != 1)
        return 0;
    record.amount += amount;
    fseek(file, place, SEEK_SET);
    return (int)fwrite(&record, sizeof record, 1, file);
}

int main(void)
{
    const struct record start[] = {{"ann", 10}, {"bob", 20}, {"cid", 30}};
    FILE *file = fopen("accounts.bin", "w+b");
    if (!file)
        return 1;
    fwrite(start, sizeof start[0], 3, file);
    printf("%d %d %d\n", pay(file, "bob", 5), pay(file, "dan", 1), pay(file, "cid", -7));
    struct record record;
    for (rewind(file); fread(&record, sizeof record, 1, file) == 1;)
        printf("%s %d\n", record.name, record.amount);
    printf("at the end %d, size %ld\n", feof(file) != 0, ftell(file) / (long)sizeof record);
    return fclose(file);
}
