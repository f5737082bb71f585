/* fail: abc
   pass: ab */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

struct text {
    size_t length;
    char *letters;
};

static struct text reversed(const char *word)
{
    struct text made;
    made.length = strlen(word);
    if (made.length % 2)
        made.length = made.length + 1; /* FAULT: one too many */
    made.letters = calloc(made.length + 1, 1);
    for (size_t i = 0; i < made.length; i++)
        made.letters[i] = word[made.length - 1 - i];
    return made;
}

int main(int argc, char **argv)
{
    if (argc < 2)
        return 1;
    struct text back = reversed(argv[1]);
    int shown = strlen(back.letters) > 0;
    assert(shown);
    return 0;
}
