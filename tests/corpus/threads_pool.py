from concurrent.futures import ThreadPoolExecutor
import threading

local = threading.local()

def job(n):
    local.value = n
    if n == 3:
        raise ValueError(f"job {n}")
    return sum(range(n))

with ThreadPoolExecutor(max_workers=3) as pool:
    print(list(pool.map(job, [10, 20, 30])))
    futures = {pool.submit(job, n): n for n in range(5)}
    done = {}
    for future in futures:  # as_completed() would make the path depend on timing
        n = futures[future]
        try:
            done[n] = future.result()
        except ValueError as e:
            done[n] = f"failed {e}"
print(sorted(done.items(), key=lambda kv: kv[0]))
event = threading.Event()
out = []
def waiter():
    event.wait()
    out.append("after event")
t = threading.Thread(target=waiter, daemon=True)
t.start()
out.append("before event")
event.set()
t.join()
print(out, hasattr(local, "value"))
timer = threading.Timer(0, out.append, ["timer"])
timer.start(); timer.join()
print(out[-1])
