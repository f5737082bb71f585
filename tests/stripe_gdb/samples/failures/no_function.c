static int one(void) { return 1; }
struct kind { int (*first)(void), (*second)(void); } kind = {one, one}, *chosen;
int main(void)
{
    kind.second = 0;
    chosen = &kind;
    return chosen->second();
}
