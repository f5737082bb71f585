import asyncio

async def fetch(name, delay):
    print("start", name)
    for _ in range(delay):
        await asyncio.sleep(0)
        print("tick", name)
    return name.upper()

async def fail():
    await asyncio.sleep(0)
    raise ValueError("async")

async def main():
    print(await fetch("solo", 1))
    print(await asyncio.gather(fetch("a", 2), fetch("b", 1), fetch("c", 0)))
    task = asyncio.create_task(fetch("task", 1))
    print("created")
    print(await task)
    try:
        await fail()
    except ValueError as e:
        print("caught", e)
    results = await asyncio.gather(fail(), fetch("ok", 0), return_exceptions=True)
    print(results)
    try:
        return "main done"
    finally:
        await asyncio.sleep(0)
        print("async finally")

print(asyncio.run(main()))
