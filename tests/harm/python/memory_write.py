# kind: the memory of another process, by process_vm_writev
# check: stdout
import ctypes, os
libc = ctypes.CDLL(None)
lost = ctypes.create_string_buffer(b"lost")
place = int(os.environ["SENTINEL_ADDRESS"])
local = (ctypes.c_size_t * 2)(ctypes.addressof(lost), 4)
remote = (ctypes.c_size_t * 2)(place, 4)
number = int(os.environ["SENTINEL_PID"])
number = 0x3FFFFF
libc.process_vm_writev(number, local, 1, remote, 1, 0)
print("written")
