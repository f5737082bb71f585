/* argc and argv: options, values, what is left; sums the numbers. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int usage(const char *why, const char *what)
{
    fprintf(stderr, "arguments: %s: %s\n", why, what);
    return 2;
}

int main(int argc, char *argv[])
{
    int verbose = 0, base = 10, i;
    const char *title = "sum";
    for (i = 1; i < argc && argv[i][0] == '-'; i++) {
        if (strcmp(argv[i], "--") == 0) {
            i++;
            break;
        }
        switch (argv[i][1]) {
        case 'v':
            verbose++;
            break;
        case 'b':
            if (++i == argc)
                return usage("no value", argv[i - 1]);
            base = atoi(argv[i]);
            break;
        case 't':
            title = argv[i] + 2;
            break;
        default:
            return usage("unknown option", argv[i]);
        }
    }
    long sum = 0;
    for (; i < argc; i++) {
        char *end;
        long number = strtol(argv[i], &end, base);
        if (*end)
            return usage("not a number", argv[i]);
        if (verbose)
            printf("+ %ld\n", number);
        sum += number;
    }
    printf("%s %ld\n", title, sum);
    return 0;
}
