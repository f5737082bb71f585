"""Annotations that are evaluated when somebody asks for them (3.14) are events of their own."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

import stripe
from stripe.backend import Target
from stripe_pytrace.agent.compiling.versions import HERE
from stripe_pytrace.backend import PythonBackend

pytestmark = pytest.mark.skipif(not HERE.deferred, reason="annotations are evaluated at once")


def kept(folder: Path, text: str, **options: str) -> str:
    """The events of the slice for what a program prints, or the exception it ends with."""
    (folder / "prog.py").write_text(text)
    result = stripe.trace("prog.py", directory=folder, watch=False, **options)  # type: ignore[arg-type]
    assert all(each.certified and each.verified for each in result.slices)
    return " ".join(map(result.trace.name, result.slices[-1].events))


def events(folder: Path, text: str) -> list[str]:
    """The recorded events: function and name."""
    (folder / "prog.py").write_text(text)
    recording = PythonBackend().record(Target("prog.py", [], False, folder))
    trace = recording.trace
    recording.close()
    functions = (trace.activations[each].function for each in trace.activation)
    return [f"{function}:{trace.name(each)}" for each, function in enumerate(functions)]


LOUD = """\
log = []
def loud(tag):
    log.append(tag)
    return int
"""
IN_A_CLASS = "class A:\n    a: loud('a')\n    b: loud('b') = 1\nA.__annotations__\nprint(log[-1])\n"
OF_A_FUNCTION = "def f(a: loud('a')) -> loud('b'):\n    pass\nf.__annotations__\nprint(log[-1])\n"
IN_A_MODULE = "import sys\na: loud('a')\nb: loud('b')\n__annotate__(1)\nprint(log[-1])\n"
NEEDED = {
    # The class, who asks, the annotation, and the call in it; not the one before it, whose
    # value nobody needs; nor, where the statement does not decide which there are, the statement.
    "class": (IN_A_CLASS, "1_1 2_2 5_3 7_5 8_6 7_10 3_11 9_13"),
    "function": (OF_A_FUNCTION, "1_1 2_2 5_3 7_4 5_8 3_9 8_11"),
    "module": (IN_A_MODULE, "1_1 2_2 7_5 8_6 7_10 3_11 9_13"),
}


@pytest.mark.parametrize("control", ["trace", "program"])
@pytest.mark.parametrize("name", NEEDED)
def test_those_that_are_not_needed_are_left_out(tmp_path: Path, name: str, control: str) -> None:
    text, needed = NEEDED[name]
    assert kept(tmp_path, LOUD + text, control=control) == needed


def test_they_are_events_where_they_stand_of_a_function_that_has_them(tmp_path: Path) -> None:
    text = "class A:\n    x: (\n        int)\n    def m(self, y: list[int], z: 'A' = 1): pass\n"
    text += "A.m.__annotations__\nA.__annotations__\nA.__annotations__\n"
    assert events(tmp_path, text) == [
        "<module>:1_1", "A:2_2", "A:4_3", "<module>:5_4", "A.m.__annotate__:4_5",
        "<module>:6_6", "A.__annotate__:3_7", "<module>:7_8",
    ]  # fmt: skip


def test_a_function_of_that_name_is_one_as_others(tmp_path: Path) -> None:
    text = (
        "class A:\n    def __annotate__(format: list[int]):\n        return {}\n"
        "A.__annotations__\nA.__annotate__.__annotations__\n"
    )
    assert events(tmp_path, text)[3:] == [
        "A.__annotate__:3_4", "<module>:5_5", "A.__annotate__.__annotate__:2_6",
    ]  # fmt: skip


def test_those_of_the_future_are_strings(tmp_path: Path) -> None:
    text = "from __future__ import annotations\nclass A:\n    x: no(1)\nprint(A.__annotations__)\n"
    assert events(tmp_path, text) == ["<module>:2_1", "A:3_2", "<module>:4_3"]


@pytest.mark.parametrize("control", ["trace", "program"])
def test_one_that_raises_is_where_the_exception_comes_from(tmp_path: Path, control: str) -> None:
    text = "n = 0\nclass A:\n    x: int\n    y: 1 / n\nprint(1)\nA.__annotations__\n"
    assert kept(tmp_path, text, control=control) == "1_1 2_2 4_4 6_6 4_8"


def test_formats_are_asked_for_as_by_the_standard_library(tmp_path: Path) -> None:
    text = (
        "import annotationlib as lib\n"
        "class A:\n    for i in range(2):\n        if i:\n            x: int = i\n"
        "        else:\n            y: unknown[1]\n"
        "for each in lib.Format.FORWARDREF, lib.Format.STRING:\n"
        "    print(sorted(lib.get_annotations(A, format=each)))\n"
        "print(lib.get_annotations(A, format=lib.Format.STRING))\n"
    )
    recorded = events(tmp_path, text)  # no disagreement, of text or of order
    assert [each for each in recorded if "__annotate__" in each][-1].startswith("A.__annotate__:7")


@pytest.mark.parametrize("control", [False, True])
def test_nothing_is_evaluated_that_is_not_kept(tmp_path: Path, control: bool) -> None:
    text = (
        "import sys\ndef loud(tag):\n    print(tag)\n    return int\n"
        "class A:\n    for i in range(3):\n        if i < 2:\n            a: loud('8')\n"
        "        b: loud('9') = i\n    c: loud('10')\n    if sys.argv:\n        d: loud('12')\n"
        "def f(p: loud('13'), *q: loud('13'), r: loud('13') = 1): pass\n"
        "A.__annotations__\nf.__annotations__\nA.__annotate__(1)\n"
    )
    (tmp_path / "prog.py").write_text(text)
    recording = PythonBackend().record(Target("prog.py", [], False, tmp_path))
    trace, chance = recording.trace, random.Random(14)
    lines = [str(trace.statements[each].line) for each in trace.statement]
    of = [trace.activations[each].function for each in trace.activation]
    annotations = [each for each, name in enumerate(of) if name.endswith("__annotate__")]
    ended = 0
    for share in (0.5, 0.8, 0.9) * 15:
        some = (each for each in range(len(trace)) if chance.random() < share)
        config = trace.close(some, control=control)
        with recording.replay(config, strict=control) as run:
            printed = run.stdout.decode().split()
            may = [lines[each] for each in annotations if each in config]
            while printed and printed[0] in may:
                del may[: may.index(printed.pop(0)) + 1]
            assert printed == []
            ended += run.end.name == "EXITED"
    recording.close()
    assert ended


def test_copies_of_their_code_as_bytes_are_of_what_was_written(tmp_path: Path) -> None:
    text = (
        "def f(a: int): pass\nx: str\nimport marshal\nfrom types import FunctionType\n"
        "for each in f.__annotate__, __annotate__:\n"
        "    code = marshal.loads(marshal.dumps(each.__code__))\n"
        "    print(FunctionType(code, globals())(1))\n"
    )
    assert [each[:10] for each in events(tmp_path, text)].count("<module>:7") == 2
