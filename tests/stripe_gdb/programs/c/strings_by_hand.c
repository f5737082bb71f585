/* Strings without string.h: reversing, palindromes, words, Caesar's cipher, numbers. */
#include <stdio.h>

static int length(const char *s)
{
    const char *p = s;
    while (*p)
        p++;
    return (int)(p - s);
}

static void reverse(char *s)
{
    for (int i = 0, j = length(s) - 1; i < j; i++, j--) {
        char c = s[i];
        s[i] = s[j];
        s[j] = c;
    }
}

static int palindrome(const char *s)
{
    const char *end = s + length(s) - 1;
    while (s < end)
        if (*s++ != *end--)
            return 0;
    return 1;
}

static int words(const char *s)
{
    int count = 0, inside = 0;
    for (; *s; s++)
        if (*s == ' ')
            inside = 0;
        else if (!inside) {
            inside = 1;
            count++;
        }
    return count;
}

static char shifted(char c, int by)
{
    if (c >= 'a' && c <= 'z')
        return 'a' + (c - 'a' + by + 26) % 26;
    return c;
}

int main(void)
{
    char text[] = "hello, world";
    reverse(text);
    printf("%s %d\n", text, words("  two words "));
    printf("%d%d%d\n", palindrome("level"), palindrome("ab"), palindrome(""));
    for (char *p = text; *p; p++) *p = shifted(*p, 3);
    printf("%s\n", text);
    return 0;
}
