"""``stripe input`` through the real command, with real commands to run."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from stripe.sandbox.walls import Layer
from tests.e2e.harness import Room, Run, command
from tests.support.layers import forced
from tests.support.patience import PATIENCE, wait_until

GREP = '#!/bin/sh\ngrep -q culprit "$1"\n'

PARSER = """
import sys
depth = 0
for number, line in enumerate(open(sys.argv[1], errors="replace"), 1):
    depth += line.count("(") - line.count(")")
    if "??" in line:
        raise ValueError(f"line {number}: {line!r}")
    if depth < 0:
        raise IndexError(f"line {number}")
"""


@pytest.fixture
def text(room: Room) -> str:
    """A file of a hundred lines, of which two matter."""
    lines = [f"line {number} of the file" for number in range(100)]
    lines[20] = "here is a culprit, one of two"
    lines[77] = "what (is it??"
    room.file("in.txt", "\n".join(lines) + "\n")
    return "in.txt"


def script(room: Room, text: str, name: str = "test.sh") -> str:
    room.file(name, text).chmod(0o755)
    return f"./{name}"


def reduced(run: Run, status: int = 0) -> str:
    """The text of the answer, by the JSON on standard output."""
    assert run.status == status, run
    answer = run.result["failing"]["text"]
    assert isinstance(answer, str)
    return answer


def test_lines_with_a_test_script(room: Room, text: str) -> None:
    test = script(room, GREP)
    run = room.stripe("input", text, "--test", test, "--units", "lines", "--json", "-",
                      writes=("in.reduced.txt",))  # fmt: skip
    assert reduced(run) == "here is a culprit, one of two\n"
    assert (room.work / "in.reduced.txt").read_text() == "here is a culprit, one of two\n"
    assert run.result["certified"] is True
    assert run.result["tests"]["executed"] <= 14


@pytest.mark.parametrize("units", ["bytes", "auto"])
def test_the_finest_units(room: Room, text: str, units: str) -> None:
    test = script(room, GREP)
    run = room.stripe("input", text, "--test", test, "--units", units, "--json", "-",
                      writes=("in.reduced.txt",))  # fmt: skip
    assert reduced(run) == "culprit"


def test_the_report(room: Room, text: str) -> None:
    run = room.stripe("input", text, "--check", "stdout:/culprit/", "--output", "least", "--",
                      "grep", "culprit", text, writes=("least",))  # fmt: skip
    assert run.status == 0
    head, _, summary = run.out.partition("── summary ")
    assert head.startswith("── in.txt: still fails with 29 of ")
    assert "here is a culprit, one of two" in head
    for fact in ("1-minimal      yes, in characters", "run once more  reproduced", "least"):
        assert fact in summary
    assert run.err == ""


@pytest.mark.parametrize(
    "delivery",
    [
        ["--", "grep", "-q", "culprit", "in.txt"],
        ["--", "grep", "-q", "culprit", "@@"],
        ["--arg", "3", "--", "grep", "-q", "culprit", "anything"],
        ["--placeholder", "%%", "--", "grep", "-q", "culprit", "%%"],
        ["--", "sh", "-c", 'exec grep -q culprit "$STRIPE_INPUT"'],
        ["--", "grep", "-q", "culprit"],
        ["--stdin", "--", "grep", "-q", "culprit"],
    ],
)
def test_ways_to_the_command(room: Room, text: str, delivery: list[str]) -> None:
    run = room.stripe("input", text, "--json", "-", "--check", "exit", *delivery,
                      writes=("in.reduced.txt",))  # fmt: skip
    assert reduced(run) == "culprit"


def test_the_same_crash_and_no_other(room: Room) -> None:
    room.file("parser.py", PARSER)
    room.file("in.txt", "a\n(\nb)\n" * 20 + "what (is??\n" + ")\n" * 30)
    run = room.stripe("input", "in.txt", "--json", "-", "--", sys.executable, "parser.py", "@@",
                      writes=("in.reduced.txt",))  # fmt: skip
    assert reduced(run) == "??"
    assert "ValueError in <module> at parser.py:7" in run.result["failure"]["original"]
    assert run.result["failure"]["answer"] == run.result["failure"]["original"]
    assert run.result["notes"] == []


SLIPPING = """\
import sys
text = open(sys.argv[1]).read()
if "a" in text and "b" in text:
    raise ValueError("both")
if "a" in text:
    raise KeyError("a")
"""


def test_no_check_slips_to_another_exception(room: Room) -> None:
    """Though the status and the first line of the traceback are the same."""
    room.file("slipping.py", SLIPPING)
    room.file("in.txt", "1a2\n3b4\n")
    run = room.stripe("input", "in.txt", "--check", "stderr:/^Traceback/", "--json", "-", "--",
                      sys.executable, "slipping.py", "@@", writes=("in.reduced.txt",))  # fmt: skip
    assert reduced(run) == "ab"
    assert run.result["notes"] == []


def test_a_slip_to_another_failure_is_told(room: Room) -> None:
    room.file("in.txt", "1a2\n3b4\n")
    room.file("tool.sh", """\
#!/bin/sh
grep -q a "$1" && grep -q b "$1" && { echo "error: both" >&2; exit 1; }
grep -q a "$1" && { echo "error: a" >&2; exit 1; }
exit 0
""").chmod(0o755)  # fmt: skip
    run = room.stripe("input", "in.txt", "--check", "exit", "--json", "-", "--", "./tool.sh", "@@",
                      writes=("in.reduced.txt",))  # fmt: skip
    assert reduced(run) == "a"
    [note] = run.result["notes"]
    assert "fails in another way than the whole input did" in note
    assert "To stay with that failure: --check crash" in note


def test_a_slip_from_a_warning_to_an_error(room: Room) -> None:
    room.file("in.txt", "good\nculprit\n")
    room.file("tool.sh", """\
#!/bin/sh
grep -q culprit "$1" && echo "warning: culprit" >&2
grep -q good "$1" || { echo "error: no good" >&2; exit 1; }
""").chmod(0o755)  # fmt: skip
    command = ("--units", "lines", "--json", "-", "--", "./tool.sh", "@@")
    run = room.stripe("input", "in.txt", "--check", "stderr:/warning/", *command,
                      writes=("in.reduced.txt",))  # fmt: skip
    assert reduced(run) == "culprit\n"
    assert "add: --check exit" in run.result["notes"][0]  # crash would not do: it is none
    run = room.stripe("input", "in.txt", "--check", "stderr:/warning/", "--check", "exit", *command,
                      writes=("in.reduced.txt",))  # fmt: skip
    assert reduced(run) == "good\nculprit\n"
    assert run.result["notes"] == []


def test_a_script_that_slips(room: Room) -> None:
    room.file("slipping.py", SLIPPING)
    test = script(room, f'#!/bin/sh\n! {sys.executable} "$STRIPE_CWD/slipping.py" "$1"\n')
    room.file("in.txt", "1a2\n3b4\n")
    run = room.stripe("input", "in.txt", "--test", test, "--json", "-", writes=("in.reduced.txt",))
    assert reduced(run) == "a"
    [note] = run.result["notes"]
    assert "fails in another way than the whole input did" in note
    assert "let the script look for more of it" in note


def test_the_largest_input_that_passes(room: Room, text: str) -> None:
    test = script(room, GREP)
    run = room.stripe("input", text, "--mode", "max", "--test", test, "--json", "-",
                      writes=("in.passing.txt",))  # fmt: skip
    assert run.status == 0
    assert run.result["certified"] is True
    whole, answer = (room.work / text).read_text(), (room.work / "in.passing.txt").read_text()
    assert run.result["passing"]["text"] == answer
    assert len(answer) == len(whole) - 1
    assert "culprit" not in answer


def test_the_difference_to_an_input_that_passes(room: Room, text: str) -> None:
    good = (room.work / text).read_text().replace("culprit", "suspect").replace("line 9", "row 9")
    room.file("good.txt", good)
    test = script(room, GREP)
    run = room.stripe("input", text, "--mode", "diff", "--passing", "good.txt", "--test", test,
                      writes=("in.failing.txt", "in.passing.txt"))  # fmt: skip
    assert run.status == 0
    assert "1-minimal difference  yes, in characters" in run.out
    failing, passing = (
        (room.work / f"in.{word}.txt").read_text() for word in ("failing", "passing")
    )
    assert "culprit" in failing
    assert "culprit" not in passing
    assert abs(len(failing) - len(passing)) == 1


def test_arguments_are_spread(room: Room) -> None:
    room.file("flags", "-q -s --regexp 'a b' -e culprit -i -x\n")
    run = room.stripe("input", "flags", "--units", "options", "--json", "-", "--check", "stdout",
                      "--", "sh", "-c", 'for word; do test "$word" = "a b" && echo seen; done',
                      "sh", "@@", writes=("flags.reduced",))  # fmt: skip
    assert reduced(run).strip() == "'a b'"


def test_binary_input_of_a_megabyte(room: Room) -> None:
    data = bytearray(b"\x01\x02\x03\x04" * (1 << 18))
    data[700_001] = 0xEE
    (room.work / "fuzz.bin").write_bytes(data)
    room.file("look.py", "import sys; sys.exit(b'\\xee' not in sys.stdin.buffer.read())\n")
    run = room.stripe("input", "fuzz.bin", "--stdin", "--check", "exit", "--json", "-", "--",
                      sys.executable, "-S", "look.py", writes=("fuzz.reduced.bin",))  # fmt: skip
    assert run.status == 0
    assert run.result["failing"] == {"base64": "7g=="}
    assert run.result["tests"]["executed"] <= 60


@pytest.mark.skipif(shutil.which("cc") is None, reason="needs a C compiler")
def test_a_c_program(room: Room) -> None:
    functions = "".join(
        f"static int f{number}(int x)\n{{\n    int y = x + {number};\n"
        f"    if (y > 3) {{ y--; }}\n    return y;\n}}\n\n"
        for number in range(12)
    )
    room.file("prog.c", f"#include <stdio.h>\n\n{functions}int main(int argc, char **argv)\n{{\n"
              "    int unused_one;\n    printf(\"%d\", f3(argc));\n    return 0;\n}\n")  # fmt: skip
    look = "cc -Wall -c -o /dev/null prog.c 2>said && grep -q 'unused variable' said"
    test = script(room, f"#!/bin/sh\ngrep -q 'int main' prog.c || exit 1\n{look}\n")
    run = room.stripe("input", "prog.c", "--test", test, "--json", "-", writes=("prog.reduced.c",))
    answer = reduced(run)
    assert len(answer) <= 30, answer
    assert answer.startswith("int main(){")


def same_as_alone(room: Room, text: str, *options: str) -> None:
    arguments = ["--json", "-", "--check", "stdout:/culprit/", "--", "grep", "culprit", "@@"]
    alone = room.stripe("input", text, *arguments, writes=("in.reduced.txt",))
    together = room.stripe("input", text, *options, *arguments, writes=("in.reduced.txt",))
    assert reduced(together) == reduced(alone)
    names = ("tests", "levels", "certified")
    assert [together.result[name] for name in names] == [alone.result[name] for name in names]


def test_jobs_change_nothing_but_the_time(room: Room, text: str) -> None:
    same_as_alone(room, text, "--jobs", "3")


def test_budgets(room: Room, text: str) -> None:
    test = script(room, GREP)
    run = room.stripe("input", text, "--test", test, "--max-tests", "5", writes=("in.reduced.txt",))
    assert run.status == 0
    assert "1-minimal      no: the limit of tests was reached" in run.out
    answer = (room.work / "in.reduced.txt").read_text()
    assert "culprit" in answer
    assert answer in (room.work / text).read_text()


def test_going_on_where_it_ended(room: Room, text: str) -> None:
    test = script(room, GREP)
    arguments = ["input", text, "--test", test, "--json", "-"]
    writes = ("in.reduced.txt",)
    whole = room.stripe(*arguments, writes=writes)
    first = room.stripe(*arguments, "--max-tests", "12", writes=writes)
    assert "--resume" in first.err
    second = room.stripe(*arguments, "--resume", writes=writes)
    assert reduced(second) == reduced(whole)
    assert reduced(first) != reduced(whole)
    executed = [run.result["tests"]["executed"] for run in (first, second, whole)]
    # What the answer rests on is tested again.
    assert executed[1] < executed[2] <= executed[0] + executed[1]


# --- runs that do not behave --------------------------------------------------------------------


def test_tests_that_hang_are_ended(room: Room, text: str) -> None:
    test = script(
        room, GREP + "if ! grep -q 'line 5 ' \"$1\"; then sleep 600; fi\ngrep -q culprit $1\n"
    )
    run = room.stripe("input", text, "--test", test, "--timeout", "1.5", "--units", "lines",
                      "--json", "-", writes=("in.reduced.txt",))  # fmt: skip
    assert reduced(run).splitlines() == ["line 5 of the file", "here is a culprit, one of two"]
    assert run.result["tests"]["UNRESOLVED"] > 0


def test_what_tests_leave_behind_is_ended(room: Room, text: str) -> None:
    if shutil.which("setsid") is None:
        pytest.skip("needs setsid")
    leave = "sleep 611 &\nsetsid sleep 612 &\n(setsid setsid sleep 613 &)\n"
    litter = 'mkdir -p deep/er && chmod 700 deep && echo x > "$TMPDIR/left"\n'
    test = script(room, f"#!/bin/sh\n{leave}{litter}{GREP[10:]}")
    run = room.stripe("input", text, "--test", test, "--units", "lines", "--jobs", "2",
                      "--json", "-", writes=("in.reduced.txt",))  # fmt: skip
    assert reduced(run) == "here is a culprit, one of two\n"


def test_each_test_finds_only_its_input(room: Room, text: str) -> None:
    test = script(room, '#!/bin/sh\ntest "$(ls | wc -l)" = 1 || exit 1\ntouch more\nmkdir d\n'
                  f'chmod 400 {text}\n' + GREP[10:])  # fmt: skip
    run = room.stripe("input", text, "--test", test, "--json", "-", writes=("in.reduced.txt",))
    assert reduced(run) == "culprit"


def test_a_failure_that_comes_and_goes(room: Room, text: str) -> None:
    count = room.elsewhere / "count"
    sometimes = f"echo >> {count}\ntest $(($(wc -l < {count}) % 5)) = 2 && exit 1\n"
    flaky = script(room, f"#!/bin/sh\n{sometimes}{GREP[10:]}")
    # In a sandbox it could not count.
    room.environment["STRIPE_SANDBOX_LAYER"] = "none"
    run = room.stripe("input", text, "--test", flaky)
    run.refused("no-sandbox", "--unsafe", status=2)
    run = room.stripe("input", text, "--test", flaky, "--unsafe")
    run.refused("flaky", "1 of 2 runs", "--repeat", status=1)
    count.unlink()
    run = room.stripe("input", text, "--test", flaky, "--unsafe", "--repeat", "3", "--json", "-",
                      writes=("in.reduced.txt",))  # fmt: skip
    assert run.result["failing"]["text"] == "culprit"


def start(room: Room, *more: str, seconds: str = "0.05") -> subprocess.Popen[bytes]:
    """The command in the middle of its search."""
    room.file("in.txt", "".join(f"line {number}\n" for number in range(3000)) + "culprit\n")
    test = script(room, f"#!/bin/sh\nsetsid sleep 600 & sleep {seconds}\n" + GREP[10:])
    process = room.start("input", "in.txt", "--test", test, "--units", "chars", "-v",
                         "--unsafe", *more)  # fmt: skip
    assert process.stderr is not None
    assert b"characters" in process.stderr.readline()
    return process


def test_ctrl_c_keeps_the_best_so_far(room: Room) -> None:
    process = start(room)
    with room.never_outlived_by(process):
        os.killpg(process.pid, signal.SIGINT)
        out, _ = process.communicate(timeout=PATIENCE)
    assert process.returncode == 130
    assert "1-minimal      no: interrupted" in out.decode()
    answer = (room.work / "in.reduced.txt").read_text()
    assert "culprit" in answer
    assert len(answer) < len((room.work / "in.txt").read_text())
    room.must_be_clean()


def test_ctrl_c_before_anything_is_known(room: Room, text: str) -> None:
    process = room.start("input", text, "--", "sleep", "600")
    with room.never_outlived_by(process):
        wait_until(lambda: any(each.split()[1].endswith("sleep") for each in room.processes()))
        os.killpg(process.pid, signal.SIGINT)
        out, err = process.communicate(timeout=PATIENCE)
    assert process.returncode == 130
    assert out == b""
    assert b"Interrupted" in err
    assert sorted(os.listdir(room.work)) == [text]
    room.must_be_clean()


@pytest.mark.skipif(not Path("/proc/self/environ").exists(), reason="needs /proc")
@pytest.mark.parametrize("layer", list(Layer), ids=[layer.value for layer in Layer])
def test_kill_9_leaves_nothing(room: Room, layer: Layer) -> None:
    with forced(layer):
        room.environment["STRIPE_SANDBOX_LAYER"] = layer.value
    process = start(room)
    with room.never_outlived_by(process):
        process.kill()
        process.communicate(timeout=PATIENCE)
    wait_until(lambda: not room.processes(), lambda: str(room.processes()))
    wait_until(lambda: not list(room.tmp.iterdir()))


@pytest.mark.parametrize("limit", ["-n 12", "-f 1"])
def test_limits_of_the_system_are_told(room: Room, limit: str) -> None:
    room.file("in.txt", "culprit\n" + "x" * 3000)
    words = ["sh", "-c", f'ulimit {limit}; exec "$@"', "sh", *command()]
    run = room.stripe("input", "in.txt", "--check", "stdout:/culprit/", "--", "cat", "@@",
                      words=words)  # fmt: skip
    run.refused("system-limit", f"ulimit {limit[:2]}", status=2)


# --- requests that cannot be met ------------------------------------------------------------------

WRONG: list[tuple[list[str], str]] = [
    (["in.txt", "--", "true"], "no-crash"),
    (["in.txt", "--check", "stdout:/nothing/", "--", "cat"], "never-matches"),
    (["in.txt", "--test", "./never.sh"], "not-interesting"),
    (["in.txt", "--test", "./broken.sh"], "cannot-start"),
    (["in.txt", "--", "env", "no-such-interpreter", "@@"], "cannot-start"),
    (["in.txt", "--", "sh", "-c", "./in.txt"], "cannot-start"),
    (["in.txt", "--timeout", "0.3", "--", "sleep", "600"], "program-hangs"),
    (["in.txt", "--mode", "diff", "--passing", "in.txt", "--", "false"], "passing-fails"),
]


@pytest.mark.parametrize(("arguments", "slug"), WRONG)
def test_errors_teach(room: Room, text: str, arguments: list[str], slug: str) -> None:
    script(room, GREP)
    script(room, "#!/bin/sh\necho not here >&2\nexit 3\n", "never.sh")
    script(room, "#!/no/such/shell\n", "broken.sh")
    room.stripe("input", *arguments).refused(slug, status=1)


def test_two_answers_do_not_go_to_standard_output(room: Room, text: str) -> None:
    run = room.stripe("input", text, "--output", "-", "--mode", "diff", "--", "false")
    run.refused("bad-option", "--json -", status=2)


def test_a_reader_of_the_json_that_goes_away(room: Room, text: str) -> None:
    process = room.start("input", text, "--units", "lines", "--json", "-", "--test",
                         script(room, GREP), "-q")  # fmt: skip
    with room.never_outlived_by(process):
        assert process.stdout is not None
        process.stdout.close()
        assert process.wait(PATIENCE) == 0
    assert process.stderr is not None
    assert process.stderr.read() == b""


def test_a_wrong_option(room: Room, text: str) -> None:
    room.stripe("input", text, "--unit", "x").refused("unknown-option", "--units", status=2)


def test_help(room: Room) -> None:
    run = room.stripe("input", "--help")
    assert run.status == 0
    for word in ("--placeholder", "--passing", "--repeat", "--resume", "braces", "@@"):
        assert word in run.out
    assert "input " in room.stripe("--help").out


def test_a_result_is_shown_again(room: Room) -> None:
    room.file("in.txt", "one\nculprit\ntwo\n")
    run = room.stripe("input", "in.txt", "--check", "exit", "--json", "r.json", "--html", "r.html",
                      "--", "grep", "-q", "culprit", "@@",
                      writes=("in.reduced.txt", "r.json", "r.html"))  # fmt: skip
    assert run.status == 0, run
    assert room.stripe("show", "r.json").out == run.out
    again = room.stripe("show", "r.json", "--html", "again.html", writes=("again.html",))
    assert again.status == 0
    assert (room.work / "again.html").read_bytes() == (room.work / "r.html").read_bytes()
    refused = room.stripe("show", "r.json", "--sarif", "-")
    refused.refused("bad-option", "SARIF", status=2)
