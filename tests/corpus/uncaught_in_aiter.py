# exit: 1
import asyncio
class A:
    def __aiter__(self): raise KeyError(1)
async def f():
    async for x in A():
        pass
asyncio.run(f())
