/* A state machine driven by a table: removes the comments from a piece of C. */
#include <stdio.h>

enum state { CODE, SLASH, COMMENT, STAR, STRING, STATES };
enum input { A_SLASH, A_STAR, A_QUOTE, OTHER, INPUTS };

static const enum state next[STATES][INPUTS] = {
    [CODE] = {SLASH, CODE, STRING, CODE},
    [SLASH] = {SLASH, COMMENT, STRING, CODE},
    [COMMENT] = {COMMENT, STAR, COMMENT, COMMENT},
    [STAR] = {CODE, STAR, COMMENT, COMMENT},
    [STRING] = {STRING, STRING, CODE, STRING},
};

static enum input kind(char c)
{
    return c == '/' ? A_SLASH : c == '*' ? A_STAR : c == '"' ? A_QUOTE : OTHER;
}

int main(void)
{
    const char *text = "a/b /* c */ \"/* d */\" e";
    enum state state = CODE;
    int visits[STATES] = {0};
    for (; *text; text++) {
        enum state then = next[state][kind(*text)];
        visits[then]++;
        if (state == SLASH && then != COMMENT)
            putchar('/');
        if (then == CODE && state == STAR)
            putchar(' ');
        else if (then == CODE || then == STRING)
            putchar(*text);
        state = then;
    }
    putchar('\n');
    for (int i = 0; i < STATES; i++)
        printf("%d ", visits[i]);
    printf("\n");
    return state != CODE;
}
