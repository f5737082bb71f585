/* Duff's device: a switch into the middle of a loop. */
#include <stdio.h>

static int copy(char *to, const char *from, int count)
{
    int rounds = (count + 3) / 4, moved = 0;
    switch (count % 4) {
        do {
    case 0:
            *to++ = *from++; moved++; /* fall through */
    case 3:
            *to++ = *from++; moved++; /* fall through */
    case 2:
            *to++ = *from++; moved++; /* fall through */
    case 1:
            *to++ = *from++; moved++;
        } while (--rounds > 0);
    }
    return moved;
}

int main(void)
{
    char target[32] = "";
    for (int count = 1; count <= 11; count += 2) {
        int moved = copy(target, "hello world!", count);
        target[moved] = '\0';
        printf("%d [%s]\n", moved, target);
    }
    return 0;
}
