/* A binary search tree: inserting, walking, depth, freeing. */
#include <stdio.h>
#include <stdlib.h>

typedef struct tree {
    int key;
    struct tree *left, *right;
} tree;

static void insert(tree **root, int key)
{
    while (*root) {
        if ((*root)->key == key)
            return;
        root = key < (*root)->key ? &(*root)->left : &(*root)->right;
    }
    *root = calloc(1, sizeof **root);
    (*root)->key = key;
}

static void walk(const tree *t, void (*visit)(int key, void *data), void *data)
{
    if (!t) return;
    walk(t->left, visit, data);
    visit(t->key, data);
    walk(t->right, visit, data);
}

static void print(int key, void *data) { printf("%s%d", (*(int *)data)++ ? "," : "", key); }
static void add(int key, void *data) { *(long *)data += key; }

static int depth(const tree *t)
{
    if (t == NULL)
        return 0;
    int left = depth(t->left), right = depth(t->right);
    return 1 + (left > right ? left : right);
}

static void release(tree *t)
{
    if (t) release(t->left), release(t->right), free(t);
}

int main(void)
{
    tree *root = NULL;
    for (int i = 0, key = 11; i < 8; i++, key = key * 7 % 31)
        insert(&root, key);
    int printed = 0;
    long sum = 0;
    walk(root, print, &printed);
    walk(root, add, &sum);
    printf("\nsum %ld depth %d\n", sum, depth(root));
    release(root);
    return 0;
}
