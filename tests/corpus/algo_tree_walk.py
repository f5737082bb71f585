class Tree:
    def __init__(self, key, left=None, right=None): self.key, self.left, self.right = key, left, right
def insert(tree, key):
    if tree is None:
        return Tree(key)
    if key < tree.key:
        tree.left = insert(tree.left, key)
    elif key > tree.key:
        tree.right = insert(tree.right, key)
    return tree
def walk(tree, depth=0):
    if tree:
        yield from walk(tree.left, depth + 1)
        yield tree.key, depth
        yield from walk(tree.right, depth + 1)
def height(t): return 0 if t is None else 1 + max(height(t.left), height(t.right))
def delete(t, key):
    if t is None: raise KeyError(key)
    if key < t.key: t.left = delete(t.left, key)
    elif key > t.key: t.right = delete(t.right, key)
    elif t.left is None: return t.right
    elif t.right is None: return t.left
    else:
        successor = t.right
        while successor.left: successor = successor.left
        t.key = successor.key
        t.right = delete(t.right, successor.key)
    return t
root = None
for key in [50, 30, 70, 20, 40, 60, 80, 30]:
    root = insert(root, key)
for key, depth in walk(root): print("  " * depth + str(key))
root = delete(delete(root, 50), 20)
print([k for k, _ in walk(root)], root.key, height(root))
try: delete(root, 99)
except KeyError as e: print("missing", e)
