"""Starts a command behind walls: ``python -I -S enter.py OPTIONS COMMAND...``.

OPTIONS is a dictionary, marshalled by the same Python and then in base 64 (importing JSON takes
longer than all that is done here); see ``stripe.sandbox.walls``.

This process is the *guard*.  It stays outside, waits, ends as the command does, and ends all of it
when the host is gone, whose scratch copies it then removes.
"""

import binascii
import marshal
import os
import select
import signal
import sys

REFUSED = 121
"""The exit status when the layer cannot be had; standard error says why."""


def main():
    options, command = marshal.loads(binascii.a2b_base64(sys.argv[1])), sys.argv[2:]
    sys.path.append(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
    try:
        host = os.pidfd_open(options["host"])
    except OSError:
        os._exit(1)  # the host is gone already
    for number in (signal.SIGINT, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)
    environment = original_environment()
    child = os.fork()
    if child == 0:
        os.close(host)
        inside(options, command, environment)
    guard(options, host, child)


def original_environment():
    """As it was before Python changed it (it sets LC_CTYPE in the C locale)."""
    with open("/proc/self/environ", "rb") as stream:
        pairs = (each.partition(b"=") for each in stream.read().split(b"\0") if each)
    return {name: value for name, _, value in pairs}


def inside(options, command, environment):
    """In the child: put walls around itself and become the command."""
    from inside import landlock, namespaces, seccomp, system
    from inside.tree import Plan

    def become():
        environment.pop(b"STRIPE_WARDEN", None)
        warden = os.environ.get("STRIPE_WARDEN")
        if warden is not None:
            environment[b"STRIPE_WARDEN"] = os.fsencode(warden)
        # Python ignores these; a program expects them as they are by default.
        for number in (signal.SIGPIPE, signal.SIGXFSZ, signal.SIGINT, signal.SIGHUP):
            signal.signal(number, signal.SIG_DFL)
        if not command:
            os._exit(0)  # it was only to find out whether this can be done
        try:
            os.chdir(options["at"])
            os.execvpe(command[0], command, environment)
        except OSError as error:
            sys.stderr.write(f"{command[0]}: {error.strerror}\n")
            sys.stderr.flush()
        os._exit(127)

    status = REFUSED
    try:
        os.setsid()
        if options["layer"] == "namespaces":
            plan = Plan(**options["plan"])
            namespaces.enter(plan, network=options["network"], become=become)
        system.die_with_parent(signal.SIGKILL)
        if landlock.version() < landlock.NEEDED or not seccomp.supported():
            raise namespaces.Unavailable(f"Landlock has version {landlock.version()} here")
        system.drop_privileges()
        landlock.restrict([options["plan"]["home"]])
        seccomp.forbid(seccomp.BESIDE_LANDLOCK, seccomp.OF_OTHERS, attributes=True)
        system.die_with_parent(signal.SIGKILL)
        become()
    except SystemExit as ended:
        status = ended.code
    except (OSError, namespaces.Unavailable) as error:
        sys.stderr.write(f"{error}\n")
        sys.stderr.flush()
    finally:
        os._exit(status)


def guard(options, host, child):
    """Wait for the command, or for the end of the host."""
    for descriptor in (0, 1):
        try:
            os.close(descriptor)  # a pipe that we have open would not end
        except OSError:
            pass
    os.closerange(3, host)
    os.closerange(host + 1, 4096)
    process = os.pidfd_open(child)

    def end(number, frame):
        os.kill(child, signal.SIGKILL)

    signal.signal(signal.SIGTERM, end)
    poll = select.poll()
    for descriptor in (host, process):
        poll.register(descriptor, select.POLLIN)
    ready = [found for found, _ in poll.poll()]
    if process not in ready:
        os.kill(child, signal.SIGKILL)
    status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    if host in ready and process not in ready:
        clean_up(options["plan"]["root"])
    os._exit(status if status >= 0 else 128 - status)


def clean_up(root):
    """Remove what the host would have removed, were it not gone."""
    import shutil

    for _ in range(3):
        shutil.rmtree(root, ignore_errors=True)


if __name__ == "__main__":
    main()
