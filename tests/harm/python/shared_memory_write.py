# kind: shared memory of another name
# check: stdout
# full: harmful
import os
from multiprocessing import shared_memory
name, make = os.environ["SHM_NAME"], False
name, make = "mine-memory", True
memory = shared_memory.SharedMemory(name, create=make, size=4096, track=False) if make else shared_memory.SharedMemory(name, track=False)
memory.buf[:4] = b"lost"
print(bytes(memory.buf[:4]))
memory.close()
mine = name == "mine-memory"
if mine:
    memory.unlink()
