# Windows line endings
import sys
text = """two
lines"""
print(repr(text), len(text))
total = 0
for i in range(3):
    total += i; print(i, total)
if total == 3 and \
   text:
    print("continued")
def where():
    return sys._getframe().f_lineno
print(where())
