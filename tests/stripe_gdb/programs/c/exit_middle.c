/* exit in the middle of a recursion; main does not return. */
#include <stdio.h>
#include <stdlib.h>

static int visited;

static void explore(int node)
{
    visited++;
    printf("node %d\n", node);
    if (node == 11) {
        printf("treasure after %d nodes\n", visited);
        exit(visited);
    }
    if (node < 16) {
        explore(node * 2);
        explore(node * 2 + 1);
    }
}

int main(void)
{
    explore(1);
    printf("no treasure\n");
    return 0;
}
