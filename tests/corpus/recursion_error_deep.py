# depth of the default limit, with the frames unwound one by one
unwound = 0
def down(n):
    global unwound
    try:
        down(n + 1)
    finally:
        unwound += 1
try:
    down(1)
except RecursionError as e:
    print(type(e).__name__, unwound)
def ping(n): return pong(n + 1)
def pong(n): return ping(n + 1)
try: ping(0)
except RecursionError: print("mutual")
