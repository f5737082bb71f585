import signal, os
log = []
def handler(signum, frame):
    log.append((signal.Signals(signum).name, frame.f_code.co_name))
def work():
    log.append("before")
    os.kill(os.getpid(), signal.SIGUSR1)
    for _ in range(1000):
        pass
    log.append("after")
signal.signal(signal.SIGUSR1, handler)
work()
print(log)
class Timeout(Exception): pass
def alarm(signum, frame): raise Timeout
signal.signal(signal.SIGUSR2, alarm)
try:
    os.kill(os.getpid(), signal.SIGUSR2)
    for _ in range(1000): pass
except Timeout:
    print("interrupted")
print(signal.getsignal(signal.SIGUSR1) is handler)
