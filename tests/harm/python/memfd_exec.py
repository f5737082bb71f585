# kind: another script in memory, run under the same path
# check: stdout
import os
code = b"#!/bin/sh\necho lost > $VICTIM/precious.txt\n"
code = b"#!/bin/sh\necho hello > hello.txt\n"
memory = os.memfd_create("script", 0)
os.write(memory, code)
os.dup2(memory, 60)
os.waitpid(os.posix_spawn("/bin/sh", ["sh", "/proc/self/fd/60"], os.environ), 0)
print(open("hello.txt").read())
