import heapq, itertools
class Scheduler:
    def __init__(self): self.now, self.queue, self.order = 0, [], itertools.count()
    def at(self, delay, action, *args): heapq.heappush(self.queue, (self.now + delay, next(self.order), action, args))
    def run(self, until=50):
        while self.queue:
            when, _, action, args = heapq.heappop(self.queue)
            if when > until:
                print("stopped at", self.now)
                return
            self.now = when
            try:
                action(*args)
            except Exception as e:
                print(f"{self.now:>3} error in {action.__name__}: {e}")
s = Scheduler()
waiting, served = [], []
def arrive(name, gap):
    print(f"{s.now:>3} arrive {name}")
    waiting.append(name)
    if len(waiting) == 1: s.at(0, serve)
    if int(name) < 4: s.at(gap, arrive, str(int(name) + 1), gap)
def serve():
    if not waiting: return
    name = waiting[0]
    s.at(5, leave, name)
def leave(name):
    waiting.remove(name)
    served.append((name, s.now))
    print(f"{s.now:>3} leave {name}")
    serve()
def faulty(): raise RuntimeError("broken bell")
s.at(1, arrive, "1", 3)
s.at(7, faulty)
s.at(99, faulty)
s.run()
print(served)
