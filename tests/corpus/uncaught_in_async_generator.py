# exit: 1
import asyncio
async def rows():
    yield 1
    raise KeyError('k')
async def f():
    async for x in rows():
        print(x)
asyncio.run(f())
