pass
for i in range(2):
    pass
    print(i)
    pass
def f(x):
    if x: pass
    else:
        pass
        return "falsy"
    pass
    return "truthy"
class E(Exception): pass
try:
    raise E
except E:
    pass
finally:
    pass
print(f(0), f(1)); pass; pass
while True:
    pass
    break
print("end")
pass
