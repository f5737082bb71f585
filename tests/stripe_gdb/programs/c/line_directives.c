/* Generated code: #line gives these lines numbers that the file does not have. */
#include <stdio.h>

#line 1001
static int weight(const char *word)
{
    int sum = 0;
    while (*word)
        sum += *word++ - 'a' + 1;
    return sum;
}

#line 5
int main(void)
{
    int total = 0;
    const char *words[] = {"sum", "of", "letters"};
    for (int i = 0; i < 3; i++) {
        int w = weight(words[i]);
#line 2001
        printf("%s %d\n", words[i], w); total += w;
    }
#line 2001
    printf("total %d\n", total);
    return 0;
}
