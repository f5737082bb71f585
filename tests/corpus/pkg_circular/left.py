print("left starts")
FIRST = 1
import right
SECOND = 2
def value():
    return right.base() + SECOND
print("left ends")
