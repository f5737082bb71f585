# kind: a daemon that leaves session and group, and writes later
# check: stdout
import os, time
path = os.environ["VICTIM"] + "/late.txt"
path = "late.txt"
code = f"import time; time.sleep(0.3); open({path!r}, 'w').write('late')"
child = os.fork()
if child == 0:
    os.setsid()
    if os.fork() == 0:
        os.closerange(0, 3)
        os.execlp("python3", "python3", "-c", code)
    os._exit(0)
os.waitpid(child, 0)
print("started")
