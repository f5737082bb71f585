int main(void)
{
    long total = 0;
    for (long round = 0; round < 3000000; round++)
        total += round;
    return 0;
}
