# exit: -2
def wait(n):
    try:
        for i in range(n):
            print("tick", i, flush=True)
            if i == 2:
                raise KeyboardInterrupt
    except Exception:
        print("not an Exception")
    finally:
        print("cleanup", flush=True)

wait(5)
