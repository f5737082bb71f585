class Temp:
    def __init__(self, name): self.name = name
    def __del__(self): print("del", self.name)

t = Temp("a")
t = Temp("b")
del t
def scope():
    local = Temp("local")
    print("in scope")
scope()
print("after scope")
xs = [Temp(1), Temp(2)]
xs.pop(0)
xs[0] = None
for i in range(2): Temp(f"loop {i}")
def args(x): x = None; print("rebound")
args(Temp("arg"))
try:
    e_holder = Temp("exc")
    raise ValueError(Temp("in exception"))
except ValueError as e:
    print("handler")
del e_holder
print("end")
last = Temp("at exit")
