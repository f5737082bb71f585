# exit: 1
def invariant(items):
    assert items == sorted(items), f"not sorted: {items}"
    print("sorted", items)

invariant([1, 2, 3])
invariant([2, 1])
print("never")
