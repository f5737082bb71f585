# kind: POSIX message queues, by ctypes
# check: stdout
import ctypes, os
library = ctypes.CDLL("librt.so.1")
name = os.environ["QUEUE"]
name = "/mine-queue"
queue = library.mq_open(name.encode(), os.O_RDWR | os.O_CREAT, 0o600, None)
library.mq_send(queue, b"text", 4, 0)
print(library.mq_unlink(name.encode()))
