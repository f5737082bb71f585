import asyncio

async def producer(queue, items):
    for item in items:
        await queue.put(item)
        print("put", item)
    await queue.put(None)

async def consumer(queue, out):
    while (item := await queue.get()) is not None:
        print("get", item)
        if item == 3:
            continue
        out.append(item * item)
    return len(out)

async def main():
    queue, out = asyncio.Queue(maxsize=2), []
    _, n = await asyncio.gather(producer(queue, range(1, 6)), consumer(queue, out))
    print(n, out)
    event = asyncio.Event()
    async def waiter(name):
        await event.wait()
        print(name, "released")
        return name
    tasks = [asyncio.create_task(waiter(n)) for n in "ab"]
    await asyncio.sleep(0)
    event.set()
    print(await asyncio.gather(*tasks))
    loop = asyncio.get_running_loop()
    fut = loop.create_future()
    loop.call_soon(fut.set_result, "from callback")
    print(await fut)

asyncio.run(main())
