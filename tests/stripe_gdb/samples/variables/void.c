static int seen;
static void note(int wanted)
{
    seen = wanted;
}
int main(void)
{
    const void *place = &seen;
    note(3);
    return place == 0;
}
