# kind: shared memory of another name removed
# check: stdout
# full: harmful
import os
from multiprocessing import shared_memory
mine = shared_memory.SharedMemory("mine-unlinked", create=True, size=4096)
name = os.environ["SHM_NAME"]
name = "mine-unlinked"
other = shared_memory.SharedMemory(name)
other.close()
other.unlink()
print(os.path.exists("/dev/shm/mine-unlinked"))
