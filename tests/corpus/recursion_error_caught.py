import sys
sys.setrecursionlimit(400)
reached = 0

def dive(n):
    global reached
    reached = n
    dive(n + 1)

try:
    dive(1)
except RecursionError as e:
    print("RecursionError", e)
    print("depth", reached)

def safe(n):
    try:
        return safe(n + 1)
    except RecursionError:
        return n

print("returned", safe(0))
class Loop:
    def __repr__(self): return repr([self])
try:
    repr(Loop())
except RecursionError:
    print("repr recursion")
