import left
import right
print(left.value(), right.value())
print(left.right is right, right.left is left)
print(right.SEEN_AT_IMPORT)
import sys
try:
    import broken_a
except ImportError as e:
    print("circular:", e.name, "broken_a" in sys.modules)
