import asyncio

async def worker(name):
    try:
        print(name, "working")
        while True:
            await asyncio.sleep(3600)
    except asyncio.CancelledError:
        print(name, "cancelled")
        raise
    finally:
        print(name, "cleanup")

async def stubborn():
    for i in range(2):
        try:
            await asyncio.sleep(3600)
        except asyncio.CancelledError:
            print("ignored", i)
    return "survived"

async def main():
    t = asyncio.create_task(worker("w"))
    await asyncio.sleep(0)
    t.cancel()
    try:
        await t
    except asyncio.CancelledError:
        print("awaited", t.cancelled())
    s = asyncio.create_task(stubborn())
    for _ in range(2):
        await asyncio.sleep(0)
        s.cancel()
    print(await s)
    try:
        async with asyncio.timeout(0):
            await asyncio.sleep(10)
    except TimeoutError:
        print("timeout")
    try:
        async with asyncio.TaskGroup() as tg:
            tg.create_task(worker("g1"))
            tg.create_task(bomb())
    except* RuntimeError as eg:
        print(eg.exceptions)

async def bomb():
    await asyncio.sleep(0)
    raise RuntimeError("boom")

asyncio.run(main())
