"""The ptrace engine where it differs from gdb; ``differential.py`` compares them on all samples."""

from __future__ import annotations

import json
import platform
import random
import re
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest

import stripe
from stripe.backend import End, Probe, Target
from stripe.errors import StripeError
from stripe_gdb.backend import NativeBackend
from stripe_gdb.tracer import hooks
from stripe_gdb.tracer.displaced_instructions import detour, length
from tests.e2e.harness import command
from tests.stripe_gdb.differential import facts
from tests.stripe_gdb.native import (
    EXAMPLES,
    WITHOUT_PTRACE,
    build,
    disassembled,
    engines,
    limited,
    needs_cc,
    needs_gdb,
    recorded,
    reduced,
)
from tests.support.patience import PATIENCE

pytestmark = [
    needs_gdb,
    needs_cc,
    pytest.mark.skipif(platform.machine() != "x86_64", reason="is about x86-64"),
]


def text(body: str, *headers: str, before: str = "") -> str:
    """A C program with ``body`` as its main function."""
    named = "".join(f"#include <{name}.h>\n" for name in ("stdio", "stdlib", *headers))
    return f"{named}{before}int main(void)\n{{\n{body}}}\n"


# --- the same answers as gdb's -------------------------------------------------------------------


def both(program: Path, stdin: bytes = b"") -> None:
    """Record with both engines; the same trace and runs, and the same of random parts of it."""
    with (
        recorded(program, stdin=stdin) as old,
        recorded(program, stdin=stdin, engine="ptrace") as new,
    ):
        assert new.trace.statements == old.trace.statements
        for name in ("statement", "activation", "caller", "scope"):
            assert getattr(new.trace, name) == getattr(old.trace, name), name
        assert facts(new.recorded) == facts(old.recorded)
        everything = range(len(new.trace))
        dice = random.Random(3)
        for share in (1.0, 0.9, 0.7, 0.4):
            kept = new.trace.close([e for e in everything if dice.random() < share])
            mine, its = new.executed(kept), old.executed(kept)
            assert (facts(mine[0]), mine[1]) == (facts(its[0]), its[1])


CHILDREN = text(
    """\
    int total = 1;
    fflush(stdout);
    pid_t child = fork();
    if (child == 0) {
        total += 4;
        _exit(total);
    }
    int status = 0;
    waitpid(child, &status, 0);
    printf("%d\\n", WEXITSTATUS(status));
    fflush(stdout);
    total += system("echo shell");
    child = vfork();
    if (child == 0)
        _exit(7);
    waitpid(child, &status, 0);
    printf("%d %d\\n", WEXITSTATUS(status), total);
    return 0;
""",
    "unistd",
    "sys/wait",
)

# Not so often that handling a signal takes as long as it takes the next one to come.
SIGNALS = text(
    """\
    signal(SIGALRM, note);
    struct itimerval often = {{0, 2000}, {0, 2000}};
    setitimer(ITIMER_REAL, &often, NULL);
    long total = 0;
    for (int i = 0; i < 600; i++) {
        total += *(char *)memset(block, i % 7, sizeof block);
        total ^= 5;
    }
    setitimer(ITIMER_REAL, &(struct itimerval){{0, 0}, {0, 0}}, NULL);
    printf("%ld\\n", total);
    fflush(stdout);
    raise(SIGTRAP);
    return 0;
""",
    "signal",
    "string",
    "sys/time",
    before="static volatile int noted; static char block[1 << 20];\n"
    "static void note(int number) { noted += number > 0; }\n",
)

RETRIED = text(
    """\
    page = mmap(NULL, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    signal(SIGSEGV, allow);
    register char *place = page;
    *place = 3;
    place[1] = 4;
    printf("%d %d\\n", page[0] + page[1], allowed);
    return 0;
""",
    "signal",
    "sys/mman",
    before="static char *page;\nstatic int allowed;\nstatic void allow(int number)\n{\n"
    "    allowed++;\n    mprotect(page, 4096, PROT_READ | PROT_WRITE);\n}\n",
)

UNKNOWN = text(
    """\
    int a[40];
    __asm__ volatile ("rep stosl" : : "D"(a), "c"(40L), "a"(7) : "memory");
    unsigned low, high;
    __asm__ volatile ("cpuid" : "=b"(low), "=d"(high) : "a"(0), "c"(0));
    __asm__ volatile ("jmp *%0" : : "r"(&&over) : );
    puts("not reached");
over:
    printf("%d %d\\n", a[0] + a[39], low != 0);
    return 0;
"""
)

WAYS = text(
    """\
    int row[] = {5, 3, 9, 1};
    int (*chosen)(int) = odd;
    long total = 0;
    qsort(row, 4, sizeof *row, compare);
    for (int i = 0; i < 8; i++) {
        int inner = i * 2;
        switch (i) {
        case 0: total += 3; break;
        case 1: total += row[1]; break;
        case 2: total ^= 5; break;
        case 3: total += chosen(i); break;
        case 4: total += inner; break;
        case 5: total = -total; break;
        default: total += depth(i);
        }
    }
    if (setjmp(back) == 0)
        leave(3);
    total++;
    printf("%ld %d\\n", total, row[0]);
    return 0;
""",
    "setjmp",
    before="""static jmp_buf back;
static int compare(const void *a, const void *b)
{
    int first = *(const int *)a;
    return first - *(const int *)b;
}
static int odd(int n)
{
    return n & 1;
}
static int depth(int n)
{
    if (n == 0)
        return 0;
    return 1 + depth(n - 1);
}
static void leave(int n)
{
    if (n == 0)
        longjmp(back, 1);
    leave(n - 1);
}
""",
)

FILES = text(
    """\
    char line[20];
    fcntl(0, F_SETFL, O_NONBLOCK);
    fcntl(1, F_SETFL, O_APPEND);
    flock(1, LOCK_EX);
    read(0, line, 3);
    lseek(1, 100, SEEK_SET);
    write(1, line, 3);
    printf("%ld %d %d\\n", lseek(0, 0, SEEK_CUR), fcntl(0, F_GETFL), getpgrp() == getpid());
    chdir("/");
    return 0;
""",
    "fcntl",
    "unistd",
    "sys/file",
)


@pytest.mark.parametrize(
    ("source", "options"),
    [
        (CHILDREN, ()),
        (CHILDREN, ("-no-pie",)),
        (RETRIED, ()),
        (UNKNOWN, ()),
        (WAYS, ()),
        (WAYS, ("-no-pie",)),
        (FILES, ()),
        (FILES, ("-no-pie",)),
    ],
    ids=[
        *("children", "children-no-pie", "retried", "unknown", "ways", "ways-no-pie"),
        *("files", "files-no-pie"),
    ],
)
def test_what_gdb_says(source, options, tmp_path):
    both(build(source, tmp_path, "-Wno-unused-result", *options), stdin=b"abcdef\n")


def test_signals_while_it_runs_change_nothing(tmp_path):
    program = build(SIGNALS, tmp_path)
    with recorded(program, engine="ptrace") as recording:
        lines = [recording.trace.statements[s].line for s in recording.trace.statement]
        assert lines.count(15) == lines.count(16) == 600
        assert 7 in lines, "there were signals"
        assert (recording.plain.end, recording.plain.status) == (End.SIGNAL, 5)
        for _ in range(3):
            with recording.replay(range(len(recording.trace))) as run:
                assert facts(run) == facts(recording.plain)


def test_code_that_runs_before_the_program_begins(tmp_path):
    source = text(
        '    printf("%d %d\\n", early, chosen());\n    return 0;\n',
        before="static int early;\nstatic void begin(void)\n{\n    early = 3;\n}\n"
        '__attribute__((section(".preinit_array"))) static void (*first)(void) = begin;\n'
        "static int seven(void)\n{\n    return 7;\n}\n"
        "static int (*choose(void))(void)\n{\n    return seven;\n}\n"
        'int chosen(void) __attribute__((ifunc("choose")));\n',
    )
    both(build(source, tmp_path))


def test_the_stack_is_where_it_is_in_plain_runs(tmp_path):
    """Variables of the environment lie above it: there are as many bytes of them in all runs."""
    source = text('    int here = 1;\n    printf("%p\\n", (void *)&here);\n    return 0;\n')
    both(build(source, tmp_path))


@engines
def test_the_stack_is_where_it_is_whatever_memory_is_filled_with(engine, tmp_path):
    source = text('    int here = 1;\n    printf("%p\\n", (void *)&here);\n    return 0;\n')
    with recorded(build(source, tmp_path), engine=engine) as recording:
        for variant in range(recording.variants):
            with recording.replay(range(len(recording.trace)), variant=variant) as run:
                assert run.stdout == recording.plain.stdout


# --- forks of a template -------------------------------------------------------------------------


def test_forks_do_what_fresh_processes_do(tmp_path):
    with recorded(build(FILES, tmp_path), engine="ptrace", stdin=b"abcdef\n") as recording:
        everything = range(len(recording.trace))
        dice = random.Random(5)
        for _ in range(4):
            kept = [event for event in everything if dice.random() < 0.8]
            with recording.replay(kept, fresh=True) as run:
                fresh = facts(run)
            for _ in range(3):
                with recording.replay(kept) as run:
                    assert facts(run) == fresh


def test_one_engine_is_started_to_verify_in_and_forks_nothing_there(tmp_path, monkeypatch):
    source = text(
        '    FILE *note = fopen("note", "w");\n'
        "    fwrite((void *)getauxval(AT_RANDOM), 1, 16, note);\n"
        '    fclose(note);\n    puts("here");\n    return 0;\n',
        "sys/auxv",
    )
    with recorded(build(source, tmp_path), engine="ptrace") as recording:
        session, started = recording._runner.session, list[int]()

        def start(number):
            started.append(number)
            return session(number)

        monkeypatch.setattr(recording._runner, "session", start)
        everything = range(len(recording.trace))

        def given(events=everything, **how):
            """What the kernel gives each program that is started, and forks share."""
            with recording.replay(events, **how) as run:
                return (run.directory / "note").read_bytes()

        assert given() == given()
        assert not started
        variants = 2 * [*range(recording.variants)]
        assert len({given(fresh=True, variant=each) for each in variants}) == len(variants) > 2
        assert len(started) == 1
        given(everything[:-1], fresh=True)
        assert len(started) == 2
        given(everything[:-1])
        given(fresh=True)
        assert len(started) == 3
        [found] = reduced(recording, "stdout").slices
        assert found.verified
        assert len(started) == 4


def test_locks_end_with_the_run_that_has_them(tmp_path):
    source = text(
        "    struct flock all = {.l_type = F_WRLCK};\n    flock(0, LOCK_EX);\n"
        '    flock(1, LOCK_EX);\n    fcntl(1, F_OFD_SETLKW, &all);\n    puts("locked");\n'
        "    return 0;\n",
        "unistd",
        "fcntl",
        "sys/file",
    )
    program = build("#define _GNU_SOURCE\n" + source, tmp_path)
    with recorded(program, engine="ptrace", jobs=2) as recording:
        assert recording.variants > 1, "there are several templates"
        assert recording.proved == recording.variants, "each was tried"
        for variant in (*range(recording.variants), 0, 1):
            with recording.replay(range(len(recording.trace)), variant=variant) as run:
                assert facts(run) == facts(recording.plain)


def test_a_template_is_made_anew_when_the_run_removes_what_it_holds(tmp_path):
    source = text(
        '    puts("begin");\n    rmdir("../work/inner");\n    unlink("prog");\n'
        '    rename("data", "other");\n    rename("../work", "../gone");\n    return 0;\n',
        "unistd",
    )
    folder = tmp_path / "work"
    (folder / "inner").mkdir(parents=True)
    (folder / "data").write_text("data\n")
    with recorded(build(source, folder), engine="ptrace") as recording:
        for _ in range(4):
            with recording.replay(range(len(recording.trace))) as run:
                assert facts(run) == facts(recording.plain)
                assert not (run.directory / "prog").exists()


def test_each_run_is_a_process_of_its_own(tmp_path):
    source = text(
        '    FILE *note = fopen("note", "w");\n    fprintf(note, "%d %ld", getpid(), '
        "syscall(SYS_gettid));\n    fclose(note);\n    raise(SIGUSR1);\n    return 0;\n",
        "unistd",
        "signal",
        "sys/syscall",
    )
    seen = set()
    with recorded(build(source, tmp_path), engine="ptrace") as recording:
        for _ in range(5):
            with recording.replay(range(len(recording.trace))) as run:
                # `raise` sends to the thread by the number the C library knows.
                assert (run.end, run.status) == (End.SIGNAL, 10)
                process, thread = (run.directory / "note").read_text().split()
                assert process == thread
                seen.add(process)
    assert len(seen) == 5


# --- ends ----------------------------------------------------------------------------------------


def test_configurations_that_hang_or_flood_are_ended(tmp_path):
    hangs = text('    int go = 1;\n    go = 0;\n    while (go) ;\n    puts("through");\n')
    program = build(hangs, tmp_path, name="hangs")
    with recorded(program, engine="ptrace") as recording:
        everything = range(len(recording.trace))
        for _ in range(2):
            with recording.replay(everything[1:2]) as run:
                assert run.end is End.EXITED
            names = [recording.trace.name(event) for event in everything]
            kept = [e for e, name in enumerate(names) if not name.startswith("6_")]
            with limited(recording, 1.0), recording.replay(kept) as run:
                assert run.end is End.TIMEOUT
    floods = text('    int go = 1;\n    go = 0;\n    while (go) puts("a line of some length");\n')
    program = build(floods, tmp_path, name="floods")
    with (
        recorded(program, engine="ptrace", timeout=60.0) as recording,
        recording.replay([0, 2]) as run,
    ):
        assert (run.end, run.status) == (End.SIGNAL, signal.SIGXFSZ)
        assert len(run.stdout) < 20 << 20


def test_arguments_that_need_a_shell(tmp_path):
    source = "#include <stdio.h>\nint main(int n, char **a) { while (*a) puts(*a++); return n; }\n"
    program = build(source, tmp_path)
    for arguments in (["a b", "$HOME", "'"], ["plain", "-x=1"], [""]):
        with recorded(program, *arguments, engine="ptrace") as recording:
            for _ in range(2):
                with recording.replay(range(len(recording.trace))) as run:
                    assert facts(run) == facts(recording.plain)
                    assert run.stdout.decode().splitlines()[1:] == arguments


def test_two_jobs(tmp_path):
    """Figure 6 of the paper, as by gdb in ``test_paper.py``."""
    program = build(EXAMPLES / "sample.c", tmp_path)
    result = stripe.trace(
        program, directory=tmp_path, stdin="0\n5\n", check="stdout", engine="ptrace", jobs=2
    )
    assert result.slices[0].certified
    assert result.slices[0].verified
    assert len(result.slices[0].events) == 15


# --- what it refuses -----------------------------------------------------------------------------


def refused(folder: Path, program: str = "prog", probes=(), **settings) -> StripeError:
    target = Target(f"./{program}", directory=folder, **settings)
    with pytest.raises(StripeError) as caught:
        NativeBackend().record(target, probes).close()
    assert caught.value.hint
    return caught.value


def test_threads_and_exec_are_refused(tmp_path):
    threads = text(
        "    pthread_t other;\n    pthread_create(&other, NULL, work, NULL);\n"
        "    pthread_join(other, NULL);\n    return 0;\n",
        "pthread",
        before="static void *work(void *nothing) { return nothing; }\n",
    )
    build(threads, tmp_path, "-pthread", name="threads")
    error = refused(tmp_path, "threads", engine="ptrace")
    assert error.slug == "cannot-record"
    assert "--engine gdb" in error.hint
    replaces = text('    execlp("echo", "echo", "hi", (char *)0);\n    return 1;\n', "unistd")
    build(replaces, tmp_path, name="replaces")
    assert refused(tmp_path, "replaces", engine="ptrace").slug == "cannot-record"


def test_engines_that_cannot_be(tmp_path, monkeypatch):
    build(text("    return 0;\n"), tmp_path)
    assert refused(tmp_path, engine="lldb").slug == "bad-engine"
    probe = Probe("x", "prog.c", 3)
    assert refused(tmp_path, engine="ptrace", probes=[probe]).slug == "engine-unsupported"
    assert refused(tmp_path, engine="ptrace", tty=True).slug == "engine-unsupported"
    monkeypatch.setattr(platform, "machine", lambda: "aarch64")
    error = refused(tmp_path, engine="ptrace")
    assert (error.slug, "aarch64" in error.message) == ("engine-unsupported", True)


def run(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    """The real command, in a folder."""
    return subprocess.run(
        [*command(), *words, "-q"],
        cwd=folder,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=PATIENCE,
    )


def test_the_command(tmp_path):
    build(EXAMPLES / "sample.c", tmp_path)
    trace = ("trace", "./prog", "--check", "stdout", "--input", "0\n5\n", "--engine")
    done = run(tmp_path, *trace, "ptrace", "--json", "r.json")
    assert (done.returncode, "15 of 32 events kept" in done.stdout) == (0, True), done.stderr
    assert json.loads((tmp_path / "r.json").read_text())["target"]["engine"] == "ptrace"
    assert run(tmp_path, "verify", "--yes", "r.json").returncode == 0
    done = run(tmp_path, *trace, "lldb")
    assert (done.returncode, "[bad-engine]" in done.stderr) == (2, True)
    (tmp_path / "prog.py").write_text("print(1)\n")
    done = run(tmp_path, "trace", "prog.py", "--engine", "ptrace")
    assert (done.returncode, "[bad-engine]" in done.stderr) == (2, True)


def test_no_permission_to_trace(tmp_path):
    build(EXAMPLES / "sample.c", tmp_path)
    done = subprocess.run(
        [sys.executable, "-c", WITHOUT_PTRACE, *command(), "trace", "./prog", "--engine", "ptrace"],
        cwd=tmp_path,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=PATIENCE,
    )
    assert (done.returncode, "[no-ptrace]" in done.stderr) == (2, True), done.stderr
    assert "SYS_PTRACE" in done.stderr


# --- gates ---------------------------------------------------------------------------------------


@pytest.mark.skipif(shutil.which("as") is None, reason="needs binutils")
def test_routines_are_what_the_assembler_makes_of_their_text(tmp_path):
    source, made, raw = (tmp_path / name for name in ("g.s", "g.o", "g.bin"))
    source.write_text(hooks.ASSEMBLY)
    subprocess.run(["as", "-o", made, source], check=True)
    subprocess.run(["objcopy", "-O", "binary", "-j", ".text", made, raw], check=True)
    assert raw.read_bytes()[hooks.CODE :] == hooks.ROUTINES


# --- detours -------------------------------------------------------------------------------------


@pytest.mark.skipif(shutil.which("objdump") is None, reason="needs objdump")
def test_instructions_are_as_long_as_the_disassembler_says():
    known = 0
    for address, code, said in disassembled():
        made = length(code + bytes(16))
        if made is None or "(bad)" in said:
            continue
        known += 1
        assert not re.match(r"call|j|loop|syscall|xbegin", said), said
        size, relative = made
        assert size == len(code), said
        assert bool(relative) == ("(%rip)" in said), said
        if relative:
            here, there = address, 0x1000
            moved = detour(code, here, there)
            assert moved is not None
            old = int.from_bytes(code[relative : relative + 4], "little", signed=True)
            new = int.from_bytes(moved[relative : relative + 4], "little", signed=True)
            assert there + new == here + old
    assert known > 50_000


def test_what_is_unknown_gets_no_detour():
    for code in ("f3ab", "0fa2", "0f05", "ffe0", "ff10", "c7f800000000", "e2fe", "62f17c48"):
        assert detour(bytes.fromhex(code) + bytes(12), 0x1000, 0x2000) is None, code
    assert detour(b"\x8b\x05\x00\x00\x00\x00", 1 << 40, 0x2000) is None  # too far away
    assert detour(b"\x8b\x05\x00", 0x1000, 0x2000) is None  # cut off
