# exit: 1
import asyncio
async def rows():
    try:
        yield 1
        await asyncio.sleep(9)
    finally:
        print('closing')
async def f():
    async for x in rows():
        print(x)
async def m():
    t = asyncio.create_task(f())
    await asyncio.sleep(0.01)
    t.cancel()
    await t
asyncio.run(m())
