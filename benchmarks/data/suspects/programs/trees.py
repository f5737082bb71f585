"""Search trees, heaps, linked lists, a cache, a trie: data structures by hand."""


class Node:
    def __init__(self, key):
        self.key = key
        self.left = None
        self.right = None


def insert(root, key):
    if root is None:
        return Node(key)
    if key < root.key:
        root.left = insert(root.left, key)
    elif key > root.key:
        root.right = insert(root.right, key)
    return root


def in_order(root):
    if root is None:
        return []
    return in_order(root.left) + [root.key] + in_order(root.right)


def remove(root, key):
    if root is None:
        return None
    if key < root.key:
        root.left = remove(root.left, key)
    elif key > root.key:
        root.right = remove(root.right, key)
    elif root.left is None:
        return root.right
    elif root.right is None:
        return root.left
    else:
        heir = root.right
        while heir.left is not None:
            heir = heir.left
        root.key = heir.key
        root.right = remove(root.right, heir.key)
    return root


def depth(root):
    if root is None:
        return 0
    return 1 + max(depth(root.left), depth(root.right))


def between(root, low, high):
    if root is None:
        return []
    found = []
    if low < root.key:
        found += between(root.left, low, high)
    if low <= root.key <= high:
        found.append(root.key)
    if root.key < high:
        found += between(root.right, low, high)
    return found


class Heap:
    def __init__(self):
        self.items = []

    def push(self, item):
        self.items.append(item)
        index = len(self.items) - 1
        while index > 0:
            parent = (index - 1) // 2
            if self.items[parent] <= self.items[index]:
                break
            self.items[parent], self.items[index] = self.items[index], self.items[parent]
            index = parent

    def pop(self):
        if not self.items:
            raise IndexError("empty")
        last = self.items.pop()
        if not self.items:
            return last
        top, self.items[0] = self.items[0], last
        index = 0
        while True:
            child = 2 * index + 1
            if child >= len(self.items):
                break
            if child + 1 < len(self.items) and self.items[child + 1] < self.items[child]:
                child += 1
            if self.items[index] <= self.items[child]:
                break
            self.items[index], self.items[child] = self.items[child], self.items[index]
            index = child
        return top


class Cache:
    def __init__(self, room):
        self.room = room
        self.values = {}
        self.order = []

    def get(self, key, default=None):
        if key not in self.values:
            return default
        self.order.remove(key)
        self.order.append(key)
        return self.values[key]

    def put(self, key, value):
        if key in self.values:
            self.order.remove(key)
        elif len(self.values) >= self.room:
            oldest = self.order.pop(0)
            del self.values[oldest]
        self.values[key] = value
        self.order.append(key)


class Trie:
    def __init__(self):
        self.children = {}
        self.ends = False

    def add(self, word):
        node = self
        for letter in word:
            if letter not in node.children:
                node.children[letter] = Trie()
            node = node.children[letter]
        node.ends = True

    def beginning_with(self, prefix):
        node = self
        for letter in prefix:
            if letter not in node.children:
                return []
            node = node.children[letter]
        found = [prefix] if node.ends else []
        for letter in sorted(node.children):
            found += self.beginning_with(prefix + letter)
        return found
