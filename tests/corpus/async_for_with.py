import asyncio

class Lock:
    def __init__(self, name): self.name = name
    async def __aenter__(self):
        await asyncio.sleep(0)
        print("acquire", self.name)
        return self.name
    async def __aexit__(self, kind, value, tb):
        print("release", self.name, kind and kind.__name__)
        return kind is KeyError

class Ticker:
    def __init__(self, n): self.n = n
    def __aiter__(self): return self
    async def __anext__(self):
        if self.n == 0:
            raise StopAsyncIteration
        self.n -= 1
        return self.n

async def numbers(n):
    try:
        for i in range(n):
            await asyncio.sleep(0)
            yield i
    finally:
        print("numbers closed")

async def main():
    async with Lock("x") as x, Lock("y"):
        print("inside", x)
    async with Lock("k"):
        raise KeyError("suppressed")
    async for t in Ticker(3):
        if t == 1: continue
        print("t", t)
    else:
        print("async else")
    async for n in numbers(5):
        print(n)
        if n == 2: break
    else:
        print("never")
    print([n async for n in numbers(4) if n % 2], {n: n * n async for n in numbers(2)})
    print([await asyncio.sleep(0, v) for v in "ab"])
    agen = (n + 1 async for n in numbers(2))
    print([v async for v in agen])

asyncio.run(main())
