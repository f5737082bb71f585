# exit: 1
import asyncio
class R:
    def __aiter__(self): return self
    async def __anext__(self):
        try:
            await asyncio.sleep(9)
        except asyncio.CancelledError:
            print('bye')
            return 7
async def f():
    async for x in R():
        print(x)
        break
    print(1 / 0)
async def m():
    t = asyncio.create_task(f())
    await asyncio.sleep(0.01)
    t.cancel()
    await t
asyncio.run(m())
