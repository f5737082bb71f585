"""Replays that begin alike are forked from one; what comes of each is what comes of it alone."""

from __future__ import annotations

import platform
from collections.abc import Sequence

import pytest

from stripe.backend import End, Observation
from stripe.checks import parse_checks
from stripe.dd import branches as dd_branches
from stripe.reduce import Settings, reduce
from stripe_gdb.recording import NativeRecording
from tests.stripe_gdb.native import build, needs_cc, needs_gdb, recorded

pytestmark = [
    needs_gdb,
    needs_cc,
    pytest.mark.skipif(platform.machine() != "x86_64", reason="is about x86-64"),
]

EVERYTHING = """\
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct node { int value; struct node *next; };

static struct node *push(struct node *list, int value)
{
    struct node *made = malloc(sizeof *made);
    made->value = value;
    made->next = list;
    return made;
}

static int total(struct node *list)
{
    int sum = 0;
    while (list) {
        sum += list->value;
        list = list->next;
    }
    return sum;
}

static int deep(int level)
{
    if (level == 0)
        return 1;
    return 2 * deep(level - 1);
}

int main(void)
{
    char line[80];
    struct node *list = NULL;
    FILE *source = fopen("numbers", "r");
    if (!source)
        return 3;
    while (fgets(line, sizeof line, source)) {
        list = push(list, atoi(line));
        printf("%d\\n", list->value);
        fflush(stdout);
    }
    if (fgets(line, sizeof line, stdin))
        printf("read %s", line);
    fclose(source);
    int count = 3;
    while (count > 0) {
        fprintf(stderr, "%d", deep(count));
        count--;
    }
    int share = 100;
    share /= total(list);
    int c = getchar();
    while (c != EOF) {
        putchar(c);
        c = getchar();
    }
    lseek(1, 0, SEEK_SET);
    write(1, "X", 1);
    unsigned pause;
    pause = 0;
    sleep(pause);
    int flag;
    flag = 1;
    printf("%d\\n", flag > 0 ? deep(1) : total(list));
    if (share > 100)
        abort();
    return share;
}
"""

LIBRARIES = "".join(
    f"#include <{name}.h>\n"
    for name in ("stdio", "stdlib", "unistd", "fcntl", "signal", "sys/mman", "sys/time", "sys/wait")
)

UNLIKE = {
    "file": 'FILE *file = fopen("new", "w"); fputs("a", file);',
    "memory": "mmap(0, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);",
    "pipe": 'int ends[2]; pipe(ends); write(ends[1], "unread", 6);',
    "timer": "struct itimerval far = {{0, 0}, {900, 0}}; setitimer(ITIMER_REAL, &far, 0);",
    "child": "if (fork() == 0) _exit(0); wait(0);",
    "signal": "sigset_t all; sigfillset(&all); sigprocmask(SIG_BLOCK, &all, 0); raise(SIGUSR1);",
    "lock": 'lockf(open("prog.c", O_RDONLY), F_TEST, 0); struct flock whole = {F_RDLCK};'
    ' fcntl(open("prog.c", O_RDONLY), F_SETLK, &whole);',
    "session": "setsid(); setpgid(0, 0); setpgid(0, getppid());",
}
"""What a fork would share with the process, or would not have, by name."""

AFTER = """\
    int sum = 0;
    for (int each = 0; each < 4; each++) {
        sum += each;
        printf("%d\\n", sum);
    }
    return sum;
"""

WRITES = """\
#include <stdio.h>

static void note(const char *name, int value)
{
    FILE *file = fopen(name, "r");
    printf("%d %s\\n", value, file ? "there" : "new");
    if (file)
        fclose(file);
    file = fopen(name, "w");
    if (file)
        fclose(file);
}

int main(void)
{
    int sum = 0;
    for (int each = 0; each < 3; each++)
        sum += each;
    note("here", sum);
    note("/tmp/stripe-tests-there", sum);
    return 0;
}
"""

LOOP = """\
#include <stdio.h>
int main(void)
{
    int flag;
    flag = -1;
    int sum = 0;
    for (int each = 0; each < 60; each++) {
        sum += each % 7;
        printf("%d %d\\n", sum, flag > 0);
    }
    return 0;
}
"""
"""What ``flag`` holds without its value is right by chance, but not in each of its variants."""


def removals(recording: NativeRecording) -> list[tuple[int, ...]]:
    """The whole run without one event, and what happened in it; and without some in a row."""
    everything = range(len(recording.trace))
    close = recording.trace.close
    gone = [range(event, event + 1) for event in everything]
    gone += [range(event, event + 9) for event in everything[::5]]
    return list(dict.fromkeys(close(e for e in everything if e not in each) for each in gone))


def seen(run: Observation) -> tuple[object, ...]:
    return run.end, run.status, run.stdout, run.stderr, run.exception, run.detail


def answered(recording: NativeRecording, candidates: Sequence[Sequence[int]]) -> int:
    """How many were replayed together; each of these as it is replayed alone."""
    with recording.replay(range(len(recording.trace))):
        pass  # from now on runs are forked from a template
    together = recording.branches(candidates)
    assert together[0] is not None
    for events, run in zip(candidates, together, strict=True):
        if run is not None:
            with recording.replay(events) as alone:
                assert seen(run) == seen(alone), events
    return sum(run is not None for run in together)


def test_a_branch_is_what_its_replay_is(tmp_path):
    (tmp_path / "numbers").write_text("4\n5\n-7\n")
    program = build(EVERYTHING, tmp_path)
    with recorded(program, stdin=b"one\ntwo\n", engine="ptrace", timeout=1.0) as recording:
        candidates = removals(recording)
        ends = set[End]()
        for start in range(0, len(candidates), 50):
            chosen = candidates[start : start + 50]
            together = recording.branches(chosen)
            ends.update(run.end for run in together if run is not None)
            assert answered(recording, chosen) == len(chosen)
        assert {End.EXITED, End.SIGNAL, End.TIMEOUT, End.DIVERGED} <= ends


@pytest.mark.parametrize("name", sorted(UNLIKE))
def test_nothing_is_forked_where_a_fork_would_be_another(name, tmp_path):
    body = f"{LIBRARIES}int main(void)\n{{\n    {UNLIKE[name]}\n{AFTER}}}\n"
    with recorded(build(body, tmp_path), engine="ptrace") as recording:
        first = next(e for e in range(len(recording.trace)) if lines(recording)[e] > 11)
        candidates = [each for each in removals(recording) if set(range(first)) <= set(each)]
        assert len(candidates) > 8
        assert answered(recording, candidates) == 1


def test_what_no_fork_forbids_is_forked(tmp_path):
    body = f"{LIBRARIES}int main(void)\n{{\n    sbrk(0);\n{AFTER}}}\n"
    with recorded(build(body, tmp_path), engine="ptrace") as recording:
        candidates = removals(recording)
        assert answered(recording, candidates) == len(candidates)


def lines(recording: NativeRecording) -> list[int]:
    trace = recording.trace
    return [trace.statements[each].line for each in trace.statement]


def test_what_a_branch_writes_no_other_run_finds(tmp_path):
    with recorded(build(WRITES, tmp_path), engine="ptrace") as recording:
        candidates = removals(recording)
        # Those that begin before the first one that writes is over have no answers but its own.
        assert answered(recording, candidates) < len(candidates)
        assert answered(recording, candidates[::-1]) < len(candidates)


def test_certificates_are_made_of_branches(tmp_path, monkeypatch):
    calls = []
    plain = NativeRecording.branches

    def counted(self, candidates, **more):
        found = plain(self, candidates, **more)
        calls.append(sum(each is not None for each in found))
        return found

    monkeypatch.setattr(NativeRecording, "branches", counted)
    slices = []
    with recorded(build(LOOP, tmp_path), engine="ptrace") as recording:
        for fewest in (16, 10_000):
            monkeypatch.setattr(dd_branches, "FEWEST", fewest)
            [found] = reduce(recording, parse_checks(["stdout"]), Settings("trace")).slices
            slices.append((found.events, found.certified_at, found.tests))
            if fewest == 16:
                assert sum(calls) > 50
                assert max(calls) > 8
                calls.clear()
        assert slices[0] == slices[1]
        assert not calls
