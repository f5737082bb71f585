a = 1; b = 2; print(a + b)
for i in range(3): print(i, end=" "); a += i; b *= 2
print(); print(a, b);
if a > 3: c = "x"; print(c); d = c * 2; print(d)
else: c = "y"; print(c)
while b: b //= 3; print(b, end=","); 
print()
def f(x): y = x + 1; z = y * 2; return z
print(f(1)); print(f(2)); del f
class P: x = 1; y = x + 1; 
print(P.x, P.y)
try: print("t"); 1 / 0; print("no")
except ZeroDivisionError: print("e"); a = 0; print(a)
finally: print("f"); b = 1
with open(__file__) as f: n = 1; print(n); n += 1
x = y = 3; x += 1; assert x == 4; print(x, y); import os; print(os.name == "posix")
def g(): yield 1; yield 2; return
print(list(g())); lst = []; lst.append(1); lst.append(2); print(lst); del lst[0]; print(lst)
