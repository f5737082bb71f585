# exit: 1
import asyncio
class B:
    def __init__(self): self.n = 0
    async def __anext__(self):
        self.n += 1
        if self.n > 3: raise StopAsyncIteration
        await asyncio.sleep(0)
        return self.n
class A:
    def __aiter__(self): return B()
async def f():
    async for x in A():
        print(x)
    else:
        print({}['z'])
asyncio.run(f())
