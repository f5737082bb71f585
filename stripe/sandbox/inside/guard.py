"""The guard of a command behind walls, which ``enter.py`` starts.

OPTIONS is a dictionary, marshalled by the same Python and then in base 64 (importing JSON takes
longer than all that is done here); see ``stripe.sandbox.walls``.

This process is the *guard*.  It stays outside, waits, ends as the command does, and ends all of it
when the host is gone.  Where no namespace ends what is left, there are two, one below the other.
"""

from __future__ import annotations

import _signal as signal  # type: ignore[import-not-found]  # signal imports more than all else here
import binascii
import marshal
import os
import select
import sys
from _frozen_importlib_external import SourceFileLoader  # importlib.machinery, without its package

TYPE_CHECKING = False  # typing takes as long to import as all else here
if TYPE_CHECKING:
    from _socket import socket
    from typing import Any, NoReturn

    Options = dict[str, Any]

REFUSED = 121
"""The exit status when the layer cannot be had; standard error says why."""


PATIENCE = 5
"""Seconds a command has to end when it is asked to."""


def main() -> None:
    options, command = marshal.loads(binascii.a2b_base64(sys.argv[1])), sys.argv[2:]
    try:
        host = os.pidfd_open(options["host"])
    except OSError:
        os._exit(1)  # the host is gone already
    for number in (signal.SIGINT, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)
    environment = original_environment()
    ours = theirs = None
    if options["layer"] == "landlock":
        host = second_guard(options, host)
        from _socket import socketpair  # lazy

        ours, theirs = socketpair()
        os.set_inheritable(ours.fileno(), False)
        os.set_inheritable(theirs.fileno(), False)
    guarding = os.getpid()
    child = os.fork()
    if child == 0:
        os.close(host)
        if ours is not None:
            ours.close()
        options["guard"] = guarding
        inside(options, command, environment, theirs)
    listener = None
    if ours is not None and theirs is not None:
        theirs.close()
        listener = receive_descriptor(ours)
        ours.close()
        if listener is None:
            from .supervisor import Denials  # lazy

            Denials(options["denials"]).add("unwatched")
    guard(options, host, child, listener)


def original_environment() -> dict[bytes, bytes]:
    """As it was before Python changed it (it sets LC_CTYPE in the C locale)."""
    with open("/proc/self/environ", "rb") as stream:
        pairs = (each.partition(b"=") for each in stream.read().split(b"\0") if each)
    return {name: value for name, _, value in pairs}


def writable_folders(options: Options) -> list[str]:
    """What a command may write in, behind Landlock."""
    return [options["plan"]["home"], options["plan"]["work"]]


def inside(
    options: Options,
    command: list[str],
    environment: dict[bytes, bytes],
    supervision: socket | None,
) -> NoReturn:
    """In the child: put walls around itself and become the command.

    ``supervision`` takes the descriptor by which the guard answers calls (``answers.py``).
    """
    from . import landlock, namespaces, seccomp, system  # lazy
    from .tree import TreePlan  # lazy

    def become() -> NoReturn:
        environment.pop(b"STRIPE_WARDEN", None)
        warden = os.environ.get("STRIPE_WARDEN")
        if warden is not None and options["renews"]:
            environment[b"STRIPE_WARDEN"] = os.fsencode(warden)
        elif warden is not None:
            for number in warden.split(",")[:2]:
                os.set_inheritable(int(number), False)
        # Python ignores these; a program expects them as they are by default.
        for number in (signal.SIGPIPE, signal.SIGXFSZ, signal.SIGINT, signal.SIGHUP):
            signal.signal(number, signal.SIG_DFL)
        if not command:
            os._exit(0)  # it was only to find out whether this can be done
        try:
            os.chdir(options["at"])
            if options["script"]:
                in_this_process(command[options["script"] :], environment)
            os.execvpe(command[0], command, environment)
        except OSError as error:
            sys.stderr.write(f"{command[0]}: {error.strerror}\n")
            sys.stderr.flush()
        os._exit(127)

    status = REFUSED
    try:
        os.setsid()
        system.die_with_parent(signal.SIGKILL)
        if os.getppid() != options["guard"]:
            os._exit(1)  # it was killed before we said so
        if options["layer"] == "namespaces":
            plan = TreePlan(**options["plan"])
            namespaces.enter(plan, network=options["network"], become=become)
        if landlock.version() < landlock.NEEDED or not seccomp.supported():
            raise namespaces.Unavailable(f"Landlock has version {landlock.version()} here")
        system.drop_privileges()
        landlock.restrict(writable_folders(options), options["terminal"])
        assert supervision is not None
        from . import answers  # lazy

        supervised = answers.SUPERVISED
        try:
            send_descriptor(supervision, seccomp.supervise(supervised, answers.LOOKS))
        except OSError:
            supervised = ()  # an older kernel, or another one listens: they fail, even inside
        supervision.close()
        denied = [name for name in seccomp.BESIDE_LANDLOCK if name not in supervised]
        seccomp.forbid(denied, seccomp.OF_OTHERS, beside_landlock=True)
        system.die_with_parent(signal.SIGKILL)
        become()
    except SystemExit as ended:
        status = int(ended.code or 0)
    except (OSError, namespaces.Unavailable) as error:
        sys.stderr.write(f"{error}\n")
        sys.stderr.flush()
    finally:
        os._exit(status)


def in_this_process(command: list[str], environment: dict[bytes, bytes]) -> None:
    """Run a script of ours by the interpreter that we are: starting one takes as long as the walls.

    First it does what ``exec`` would do to this process; returns if it cannot.
    """
    from . import system  # lazy

    try:
        opened = [int(name) for name in os.listdir("/proc/self/fd")]
        system.prctl(system.PR_SET_DUMPABLE, 1)
    except OSError:
        return
    for descriptor in opened:
        try:
            if not os.get_inheritable(descriptor):
                os.close(descriptor)  # what runs below us may find its way to what we have open
        except OSError:
            pass  # the listing's own
    # As Python has them from its start.
    for number in (signal.SIGPIPE, signal.SIGXFSZ):
        signal.signal(number, signal.SIG_IGN)
    os.environb.clear()
    os.environb.update(environment)
    sys.argv[:] = command
    try:
        # Not compiled anew each time, as scripts are.
        code: Any = SourceFileLoader("__main__", command[0]).get_code("__main__")
        exec(code, {"__name__": "__main__", "__file__": command[0]})
        os._exit(0)
    except SystemExit:
        raise
    except BaseException:
        sys.excepthook(*sys.exc_info())
        sys.stderr.flush()
    os._exit(1)


def send_descriptor(to: socket, descriptor: int) -> None:
    """Give a descriptor away, and close it here."""
    import _socket  # lazy

    try:
        packed = descriptor.to_bytes(4, sys.byteorder)
        to.sendmsg([b"x"], [(_socket.SOL_SOCKET, _socket.SCM_RIGHTS, packed)])
    finally:
        os.close(descriptor)


def receive_descriptor(by: socket) -> int | None:
    """The descriptor that was sent; ``None`` if the other end was closed without."""
    import _socket  # lazy

    _, messages, *_ = by.recvmsg(1, _socket.CMSG_SPACE(4))
    return next((int.from_bytes(data, sys.byteorder) for _, _, data in messages), None)


def guard(options: Options, host: int, child: int, listener: int | None) -> NoReturn:
    """Wait for the command, or for the end of the host; meanwhile answer what ``listener`` asks."""
    first = 0
    for kept in sorted(each for each in (2, host, listener) if each is not None):
        os.closerange(first, kept)  # a pipe that we have open would not end
        first = kept + 1
    os.closerange(first, 4096)
    process = os.pidfd_open(child)

    def end(number: int, frame: object) -> None:
        # It is asked first: then it is gone only when all that runs below it is.
        os.kill(child, signal.SIGTERM if number == signal.SIGTERM else signal.SIGKILL)
        signal.alarm(PATIENCE)

    signal.signal(signal.SIGTERM, end)
    signal.signal(signal.SIGALRM, end)
    poll = select.poll()
    for descriptor in (host, process):
        poll.register(descriptor, select.POLLIN)
    supervisor = None
    if listener is not None:
        from . import answers  # lazy

        supervisor = answers.supervisor(
            listener, options["plan"], writable_folders(options), options["denials"]
        )
        poll.register(listener, select.POLLIN)
    while True:
        ready = dict(poll.poll())
        if process in ready:
            break
        if host in ready:
            poll.unregister(host)
            end(signal.SIGTERM, None)
        if supervisor is not None and listener in ready:
            if ready[listener] & select.POLLIN:
                supervisor.answer()
            else:
                poll.unregister(listener)  # nobody is left who could ask
    status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    if options["layer"] == "landlock":
        from . import orphans  # lazy

        orphans.bury()  # type: ignore[no-untyped-call]  # all children are what the command has left
    os._exit(status if status >= 0 else 128 - status)


def second_guard(options: Options, host: int) -> int:
    """Go on as a guard of our own below, whose host we are: whichever of the two is killed, the
    other buries what the command has left.  Without namespaces it would not end by itself.
    """
    from . import system  # lazy

    system.prctl(system.PR_SET_CHILD_SUBREAPER, 1)
    first = os.pidfd_open(os.getpid())
    second = os.fork()
    if second:
        os.close(first)
        guard(options, host, second, None)
    os.close(host)
    system.prctl(system.PR_SET_CHILD_SUBREAPER, 1)
    return first
