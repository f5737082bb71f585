"""The baseline of the replay benchmark: what a test costs if it is nothing but a fork.

Run as a script by the interpreter under test; the standard library only.  It reads messages
from one pipe and answers on another, as the agent does: first the names of modules to import,
then one request a test.  For each it

- forks; the child starts a session (``setsid``), opens its three files (the outputs are
  new: the host removes them once read, for to truncate a file can take milliseconds) and
  moves them to descriptors 0, 1, 2 (``dup2``);
- the child executes the code it was given, which is plain Python compiled beforehand; prints
  an uncaught exception as the interpreter does; flushes; ``os._exit``;
- the parent waits for it (``waitpid``, blocking) and answers with its status.

As any fork server should, it prepares before the first fork what printing a traceback needs
(Python 3.13 imports modules for it, which takes longer than all the rest), and collects and
freezes garbage.

It leaves out all that makes running a partial program safe and its result complete: limits
of time, memory and output; ending what the child leaves behind; noticing that the host is
gone; the audit hook; the child's directory and TMPDIR; exit functions and waiting for threads;
telling what the exception was and where; and, of course, the plan of what is executed.
"""

from __future__ import annotations

import gc
import marshal
import os
import sys
import traceback
from typing import Any


def read(source: int, size: int) -> bytes:
    data = b""
    while len(data) < size:
        part = os.read(source, size - len(data))
        if not part:
            os._exit(0)
        data += part
    return data


def receive(source: int) -> Any:
    return marshal.loads(read(source, int.from_bytes(read(source, 8), "little")))


def send(sink: int, message: Any) -> None:
    data = marshal.dumps(message)
    os.write(sink, len(data).to_bytes(8, "little") + data)


def child(request: dict[str, Any]) -> None:
    os.setsid()
    new = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_APPEND
    for number, flags in ((0, os.O_RDONLY), (1, new), (2, new)):
        descriptor = os.open(request["files"][number], flags, 0o600)
        os.dup2(descriptor, number)
        os.close(descriptor)
    status = 0
    try:
        exec(request["code"], {"__name__": "__main__"})
    except BaseException as error:
        error.__traceback__ = error.__traceback__ and error.__traceback__.tb_next
        sys.excepthook(type(error), error, error.__traceback__)
        status = 1
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(status)


def serve(source: int, sink: int) -> None:
    for name in receive(source):
        __import__(name)
    try:
        exec("unknown + 1")
    except NameError as error:
        traceback.format_exception(error)
    gc.collect()
    gc.freeze()
    send(sink, "ready")
    while True:
        request = receive(source)
        process = os.fork()
        if process == 0:
            child(request)
        _, status = os.waitpid(process, 0)
        send(sink, os.waitstatus_to_exitcode(status))


if __name__ == "__main__":
    serve(int(sys.argv[1]), int(sys.argv[2]))
