#include <cstdio>
namespace { struct Counter { int n; int add(int by) { if (by) n += by; return n; } }; }
template <class T> T twice(T of) { return of + of; }
int main()
{
    Counter counter{1};
    printf("%d\n", twice(counter.add(2)));
}
