# exit: 1
import asyncio
async def f():
    async for x in [1]:
        pass
asyncio.run(f())
