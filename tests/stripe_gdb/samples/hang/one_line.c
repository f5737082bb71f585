static int twice(int x) { return 2 * x; }
int main(void)
{
    int n = 1;
    %s
    return n;
}
