# kind: every descriptor up to 1023 truncated and written
# check: stdout
import os
first, last = 4, 1024
first, last = 1024, 1024
for number in range(first, last):
    try:
        os.lseek(number, 0, 0)
        os.ftruncate(number, 0)
        os.write(number, b"lost")
    except OSError:
        pass
print("done")
