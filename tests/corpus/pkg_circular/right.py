print("right starts")
import left
SEEN_AT_IMPORT = (hasattr(left, "FIRST"), hasattr(left, "SECOND"))
def base():
    return 10
def value():
    return left.FIRST + left.SECOND
print("right ends")
