type Pair[T] = tuple[T, T]
type Tree = dict[str, "Tree"] | int

def first[T](xs: list[T]) -> T:
    return xs[0]

def combine[K, *Ts, **P](key: K, *rest: *Ts) -> tuple[K, *Ts]:
    return (key, *rest)

class Stack[T: (int, str)]:
    def __init__(self) -> None:
        self.items: list[T] = []

    def push(self, item: T) -> "Stack[T]":
        self.items.append(item)
        return self

    def map[U](self, f) -> list[U]:
        return [f(i) for i in self.items]

print(Pair.__name__, Pair.__type_params__, Pair[int])
print(first([3, 4]), combine("k", 1, 2))
print(Stack[int]().push(1).push(2).map(str), Stack.__type_params__[0].__constraints__)
print(first.__type_params__, Tree.__value__)
type Lazy = undefined_name
try:
    Lazy.__value__
except NameError as e:
    print("lazy:", e)
def scoped():
    x = int
    type Local = list[x]
    return Local.__value__
print(scoped())
