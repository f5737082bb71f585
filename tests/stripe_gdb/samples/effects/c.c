
    #include <stdio.h>
    struct node { int value; struct node *next; };
    int total = 0, limit;
    static int table[10];

    static int add(int *to, int x)
    {
        *to += x;                       /* pointer */
        if (x > limit) return x;        /* return */
        to[1] = total;                  /* element */
        return 0;
    }

    int main(void)
    {
        int i, numbers[3], *p = numbers;
        struct node *n = make(p);       /* declaration */
        char line[80];
        scanf("%d", &i);                /* input */
        fgets(line, sizeof line, stdin);  /* fgets */
        for (i = 0; i < 3; i++)         // header
            numbers[i] = i * 2;         // array
        n->next->value = i;             /* field */
        add(&total, numbers[1]);        /* call */
        sort(numbers, 3);               /* sort */
        while (*p) total++;             /* loop */
        fprintf(stderr, "a; b {");      /* error */
        printf("%d %d\n",
               total,
               table[i]);               /* last line */
        exit(total);                    /* exit */
        return i;                       /* end */
    }
