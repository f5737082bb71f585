# exit: 1
import asyncio

async def step(n):
    print("step", n)
    await asyncio.sleep(0)
    if n == 2:
        raise LookupError(f"step {n} failed")
    return n

async def main():
    for n in range(4):
        await step(n)

asyncio.run(main())
