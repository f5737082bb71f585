# kind: descriptors of other processes, opened again
# check: stdout
# full: harmful
import glob, os
mine = f"/proc/{os.getpid()}/"
for path in glob.glob("/proc/[0-9]*/fd/99"):
    if not path.startswith(mine):
        try:
            file = os.open(path, os.O_WRONLY)
        except OSError:
            continue
        os.write(file, b"lost")
print("done")
