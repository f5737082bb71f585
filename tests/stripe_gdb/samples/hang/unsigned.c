int main(void)
{
    volatile unsigned i = 3;
    int a[4];
    while (i >= 0) {
        a[i & 3] = i;
        i--;
    }
    return a[0];
}
