import pytest
from trees import Cache, Heap, Trie, between, depth, in_order, insert, remove


def tree(*keys):
    root = None
    for key in keys:
        root = insert(root, key)
    return root


KEYS = (5, 2, 8, 1, 4, 7, 9, 3)


@pytest.mark.parametrize("keys", [(), (1,), (2, 1), (1, 2, 3), KEYS, (4, 4, 1)])
def test_in_order(keys):
    assert in_order(tree(*keys)) == sorted(set(keys))


@pytest.mark.parametrize("key", [1, 2, 3, 5, 8, 9, 6])
def test_remove(key):
    assert in_order(remove(tree(*KEYS), key)) == sorted(set(KEYS) - {key})


def test_remove_twice():
    assert in_order(remove(remove(tree(2, 1, 6, 4, 5), 2), 4)) == [1, 5, 6]


@pytest.mark.parametrize(("keys", "expected"), [((), 0), ((1,), 1), ((1, 2, 3), 3), (KEYS, 4), ((2, 1, 3), 2)])
def test_depth(keys, expected):
    assert depth(tree(*keys)) == expected


@pytest.mark.parametrize(
    ("low", "high", "expected"), [(3, 7, [3, 4, 5, 7]), (0, 1, [1]), (9, 20, [9]), (6, 6, []), (5, 5, [5])]
)
def test_between(low, high, expected):
    assert between(tree(*KEYS), low, high) == expected


@pytest.mark.parametrize(
    "items", [[1], [2, 1], [3, 1, 2], [5, 4, 3, 2, 1, 0], [1, 1, 0, 1], [7, 3, 9, 1, 8, 2, 6]]
)
def test_heap(items):
    heap = Heap()
    for item in items:
        heap.push(item)
    assert [heap.pop() for _ in items] == sorted(items)


def test_empty_heap():
    with pytest.raises(IndexError):
        Heap().pop()


def test_cache_forgets_the_oldest():
    cache = Cache(2)
    cache.put("a", 1)
    cache.put("b", 2)
    cache.put("c", 3)
    assert [cache.get(key) for key in "abc"] == [None, 2, 3]


def test_cache_keeps_what_was_used():
    cache = Cache(2)
    cache.put("a", 1)
    cache.put("b", 2)
    assert cache.get("a") == 1
    cache.put("c", 3)
    assert [cache.get(key, 0) for key in "abc"] == [1, 0, 3]


def test_cache_replaces():
    cache = Cache(2)
    cache.put("a", 1)
    cache.put("b", 2)
    cache.put("a", 3)
    cache.put("c", 4)
    assert [cache.get(key) for key in "abc"] == [3, None, 4]


@pytest.mark.parametrize(
    ("prefix", "expected"),
    [("", ["car", "cart", "cat", "dog"]), ("car", ["car", "cart"]), ("x", []), ("dog", ["dog"]), ("dogs", [])],
)
def test_trie(prefix, expected):
    trie = Trie()
    for word in ("cat", "car", "dog", "cart"):
        trie.add(word)
    assert trie.beginning_with(prefix) == expected
