# coroutines driven by hand, without an event loop
class Suspend:
    def __init__(self, value): self.value = value
    def __await__(self):
        answer = yield self.value
        print("resumed with", answer)
        return answer

async def inner(x):
    got = await Suspend(x)
    return got + 1

async def outer():
    total = 0
    for i in range(3):
        total += await inner(i)
    return total

c = outer()
print(c.send(None), c.send(10), c.send(20))
try:
    c.send(30)
except StopIteration as e:
    print("result", e.value)
import types
@types.coroutine
def old_style():
    x = yield "old"
    return x
async def use(): return await old_style()
c = use(); print(c.send(None))
try: c.throw(ValueError("stop"))
except ValueError as e: print(e)
c = outer(); print(c.send(None)); c.close(); print("closed")
async def never(): pass
never().close()
