/* Ends with a status of its own, and writes to both outputs. */
#include <stdio.h>

enum { OK, WARNING, ERROR = 40 };

static int inspect(const char *word)
{
    int status = OK;
    for (const char *p = word; *p; p++) {
        if (*p == '?')
            status = status < WARNING ? WARNING : status;
        if (*p == '!')
            status = ERROR + (int)(p - word);
    }
    fprintf(status ? stderr : stdout, "%s: %d\n", word, status);
    return status;
}

int main(void)
{
    const char *words[] = {"fine", "really?", "no!", "also fine"};
    int worst = OK;
    for (int i = 0; i < 4; i++) {
        int status = inspect(words[i]);
        if (status > worst)
            worst = status;
    }
    printf("worst %d\n", worst);
    return worst;
}
