int job = 1, *place;
int take(void)
{
    return *place;
}
int main(void)
{
    place = &job;
    take();
    place = 0;
    take();
    return 0;
}
