"""Runs one command, and makes sure that nothing of it outlives this process or the host.

Started as ``python -I process_guard.py OPTIONS COMMAND...``, where OPTIONS is a dictionary,
marshalled by the same Python and then in base 64, as importing JSON takes longer than all that is
done here:

- ``orphans``: the path of what ends all that a process has left behind
- ``host``: process number; when it is gone, everything ends; 0: somebody else sees to that
- ``cpu``: run on this processor only (gdb and the program take turns, so it is faster), or None
- ``memory``, ``output``: limits in bytes, or None
- ``fixed``: no random addresses
- ``timeout``: seconds the command may take, or None
- ``directory``, ``environment``: of the command, or None for our own
- ``streams``: files that are its standard input, output, error, or None for our own
- ``tty``: a descriptor (``O_PATH``) of a terminal that is all three, or None
- ``witness``: the folder it is imported from, and the path of its report: it watches what the
  command reads (see ``stripe.sandbox.reads``); or None
- ``engine``: the command is ours, and asks the warden (see ``stripe.sandbox``) for what it needs;
  else our own standard output gets ``{"status": ..., "timeout": ..., "seconds": ..., "left": ...}``

It is the *subreaper* of all that the command starts: what loses its parent becomes its child,
and is ended.  If it is killed itself, the kernel kills the command.

In a process namespace, whose number 1 we are then, the kernel does all that when number 1 ends, so
an engine takes our place at once: what runs below it cannot end it.
"""

import binascii
import ctypes
import importlib
import marshal
import os
import resource
import select
import signal
import sys
import time

WARDEN = "STRIPE_WARDEN"
STOPPED_SECONDS = 0.5
PR_SET_PDEATHSIG, PR_SET_CHILD_SUBREAPER = 1, 36
ADDR_NO_RANDOMIZE = 0x0040000
libc = ctypes.CDLL(None)


def main():
    options, command = marshal.loads(binascii.a2b_base64(sys.argv[1])), sys.argv[2:]
    first = os.getpid() == 1
    if first and options["engine"]:
        become(options, command)
    libc.prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    watched = []
    if options["host"]:
        try:
            watched.append(os.pidfd_open(options["host"]))
        except OSError:
            os._exit(1)  # the host is gone already
    orphans = load(options["orphans"])
    report = os.dup(1)
    started = time.monotonic()
    child = os.fork()
    if child == 0:
        become(options, command)
    process = os.pidfd_open(child)

    def end(number, frame):
        orphans["kill"](child)
        orphans["bury"]()
        os._exit(0)

    if not first:  # else what runs below us could send it
        signal.signal(signal.SIGTERM, end)
        if not options["host"]:
            libc.prctl(PR_SET_PDEATHSIG, signal.SIGTERM, 0, 0, 0)
    # What we have open would keep pipes alive that the host waits for.
    for descriptor in (0, 1):
        os.close(descriptor)
    if options["engine"]:
        os.close(report)
    ours = child if options["engine"] or options["witness"] else None
    ready = wait((*watched, process), options["timeout"], ours)
    late = process not in ready
    if late:
        orphans["kill"](child)
    ended = os.waitpid(child, 0)[1]
    seconds = time.monotonic() - started
    left = orphans["bury"]()
    if not options["engine"]:
        status, late = (0, "true") if late else (ended, "false")
        text = f'{{"status": {status}, "timeout": {late}, "seconds": {seconds}, "left": {left}}}'
        try:
            os.write(report, text.encode("ascii"))
        except BrokenPipeError:
            pass
    os._exit(0)


def wait(descriptors, timeout, ours):
    """Which are ready in time; a process of ours that its program has stopped goes on."""
    poll = select.poll()
    for descriptor in descriptors:
        poll.register(descriptor, select.POLLIN)
    end = float("inf") if timeout is None else time.monotonic() + timeout
    while True:
        left = max(0.0, min(STOPPED_SECONDS, end - time.monotonic()))
        ready = [found for found, _ in poll.poll(int(left * 1000))]
        if ready or time.monotonic() >= end:
            return ready
        if ours and os.waitid(os.P_PID, ours, os.WSTOPPED | os.WNOHANG | os.WNOWAIT):
            os.kill(ours, signal.SIGCONT)


def become(options, command):
    """Turn into the command."""
    try:
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
        libc.prctl(PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
        os.setsid()
        if options["cpu"] is not None:
            os.sched_setaffinity(0, {options["cpu"]})
        limits = (
            (resource.RLIMIT_AS, options["memory"]),
            (resource.RLIMIT_FSIZE, options["output"]),
            # A single byte, for with 0 the kernel still runs a program that is to take them.
            (resource.RLIMIT_CORE, 1),
        )
        for which, limit in limits:
            if limit is not None:
                hard = resource.getrlimit(which)[1]
                if hard != resource.RLIM_INFINITY:
                    limit = min(limit, hard)
                resource.setrlimit(which, (limit, limit))
        # Python ignores these; a program expects them as they are by default.
        for number in (signal.SIGPIPE, signal.SIGXFSZ):
            signal.signal(number, signal.SIG_DFL)
        if options["fixed"]:
            libc.personality(ADDR_NO_RANDOMIZE)
        if options["directory"]:
            os.chdir(options["directory"])
        if options["streams"]:
            for number, path in enumerate(options["streams"]):
                flags = os.O_WRONLY | os.O_CREAT | os.O_TRUNC if number else os.O_RDONLY
                os.dup2(os.open(path, flags, 0o666), number)
        if options["tty"]:
            # Becomes ours, as the session has none yet.
            terminal = os.open(f"/proc/self/fd/{options['tty']}", os.O_RDWR)
            for number in range(3):
                os.dup2(terminal, number)
            os.close(options["tty"])
        environment = options["environment"]
        if environment is None:
            environment = dict(os.environ)
        warden = os.environ.get(WARDEN)
        environment.pop(WARDEN, None)
        if warden is not None:
            if options["engine"]:
                environment[WARDEN] = warden
            else:
                for number in warden.split(",")[:2]:
                    os.close(int(number))
        if options["witness"]:
            # Here, as starting an interpreter takes longer than most programs.
            folder, report = options["witness"]
            sys.path.append(folder)
            encoded = {os.fsencode(name): os.fsencode(each) for name, each in environment.items()}
            witness = importlib.import_module("inside.witness")  # which is no module of ours here
            witness.watch(report, command, encoded)
        os.execvpe(command[0], command, environment)
    except BaseException as error:
        sys.stderr.write(f"{command[0]}: {error}\n")
    finally:
        os._exit(127)


def load(path):
    """What a file of ours defines that is no module here."""
    namespace = {}
    with open(path, "rb") as stream:
        exec(compile(stream.read(), path, "exec"), namespace)
    return namespace


if __name__ == "__main__":
    main()
