import threading, queue

lock = threading.Lock()
total = 0

def add(values):
    global total
    for v in values:
        with lock:
            total += v

threads = [threading.Thread(target=add, args=(range(n * 10),)) for n in range(1, 5)]
for t in threads:
    t.start()
for t in threads:
    t.join()
print(total)

tasks, results = queue.Queue(), queue.Queue()
def worker():
    while (item := tasks.get()) is not None:
        results.put((item, item * item))
t = threading.Thread(target=worker, name="squarer")
t.start()
for i in range(5):
    tasks.put(i)
tasks.put(None)
t.join()
print(sorted(results.queue), t.name, t.is_alive())

class Worker(threading.Thread):
    def run(self):
        try:
            raise ValueError("in thread")
        except ValueError as e:
            self.error = str(e)
w = Worker(); w.start(); w.join()
print(w.error, threading.current_thread() is threading.main_thread())
