import os, sys

print("parent starts", flush=True)
r, w = os.pipe()
pid = os.fork()
if pid == 0:
    os.close(r)
    print("child prints", flush=True)
    for i in range(3):
        os.write(w, f"child {i}\n".encode())
    os._exit(7)
os.close(w)
with os.fdopen(r) as pipe:
    for line in pipe:
        print("from pipe:", line.strip())
_, status = os.waitpid(pid, 0)
print("status", os.waitstatus_to_exitcode(status))

codes = []
for n in range(3):
    sys.stdout.flush()
    child = os.fork()
    if not child:
        try:
            print("child", n)
            sys.stdout.flush()
            sys.exit(n)
        finally:
            os._exit(n + 10)
    codes.append(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
print(codes)
