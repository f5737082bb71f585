import asyncio

async def work(n):
    await asyncio.sleep(0)
    return n

async def items():
    yield 1
    print("never seen")

def attempt(what, *arguments):
    try:
        print("gave", what(*arguments))
    except BaseException as e:
        print(type(e).__name__, e)

attempt(work(1).throw, ValueError("early"))
attempt(work(2).close)
attempt(items().athrow(ValueError("early")).send, None)
attempt(items().athrow(ValueError("a")).throw, KeyError("b"))
attempt(items().aclose().send, None)
attempt(items().asend(None).throw, KeyError("c"))

async def main():
    t = asyncio.create_task(work(3))
    t.cancel()
    try:
        await t
    except asyncio.CancelledError:
        print("cancelled", t.cancelled())
    try:
        async with asyncio.timeout(0):
            await asyncio.gather(work(4), asyncio.sleep(5))
    except TimeoutError:
        print("late")
    try:
        async with asyncio.TaskGroup() as group:
            group.create_task(work(5))
            raise ValueError("stop")
    except* ValueError as e:
        print("group", len(e.exceptions))
    print(await asyncio.gather(work(6), work(7)))

asyncio.run(main())
