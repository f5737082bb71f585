import asyncio

async def countdown(n):
    while n:
        got = yield n
        if got:
            print("got", got)
        n -= 1
    print("lift off")

async def guarded():
    try:
        yield "first"
        yield "second"
    except ValueError as e:
        print("thrown", e)
        yield "after throw"
    finally:
        print("guarded done")

async def main():
    g = countdown(3)
    print(await anext(g), await g.asend("hello"), await g.asend(None))
    print(await anext(g, "default"))
    h = guarded()
    print(await anext(h), await h.athrow(ValueError("v")))
    await h.aclose()
    h = guarded()
    await anext(h)
    await h.aclose()
    async def nested():
        async for x in countdown(2):
            yield x * 10
    print([x async for x in nested()])

asyncio.run(main())
