"""What the terminal shows, as text."""

from __future__ import annotations

import io
import re
from dataclasses import replace

import pytest

from stripe.dd import Reason
from stripe.deadline import Deadline
from stripe.report import SECTIONS, Style, late, render, terminal
from stripe.report.style import cells, duration, printable
from tests.support.fake import SAMPLE, SAMPLE_INPUT
from tests.support.results import reduced, result_of, slice_of, trace_of

PLAIN = Style()
RULE, ASCII_RULE = "── ", "-- "


def show(result: object, section: str, style: Style = PLAIN) -> list[str]:
    """A section's lines without the heading, and without what happened before it."""
    lines = render(result, [section], style).splitlines()  # type: ignore[arg-type]
    heads = [index for index, line in enumerate(lines) if line.startswith((RULE, ASCII_RULE))]
    return lines[heads[-1] + 1 :]


def test_the_source_says_for_every_line_how_many_executions_are_kept() -> None:
    result = reduced(SAMPLE, "sum=stdout:/^sum/", stdin=SAMPLE_INPUT)
    assert show(result, "source")[:-3] == [
        "prog.py",
        " ▶   1  1/1  │ sum = 0",
        "     2  0/1  │ mul = 1",
        " ▶   3  1/1  │ a = int(input())",
        "     4  0/1  │ b = int(input())",
        " ▷   5 +6/7  │ while a <= b:",
        " ▶   6  5/6  │     sum = sum + a",
        "     7  0/6  │     mul = mul * a",
        " ▶   8  5/6  │     a = a + 1",
        ' ▶   9  1/1  │ print("sum =", sum)',
        '    10  0/1  │ print("mul =", mul)',
    ]


def test_lines_not_executed_and_lines_without_code_look_different() -> None:
    text = "# why\nx = 1\nif x > 1:\n    x = 2\n\nprint(\n    x\n)\n"
    assert show(reduced(text, "stdout"), "source")[1:-2] == [
        "     1      │ # why",
        " ▶   2 1/1  │ x = 1",
        "     3 0/1  │ if x > 1:",
        "     4   -  │     x = 2",
        "     5      │",
        " ▶   6 1/1  │ print(",
        " │   7      │     x",
        " │   8      │ )",
    ]


def test_what_compiles_to_nothing_is_not_called_not_executed() -> None:
    text = '"""Doc."""\ntry:\n    f()\nexcept E:\n    x\nexcept F:\n    y\n'
    kinds = ["Expr", "Try", "Expr", "ExceptHandler", "Expr", "ExceptHandler", "Expr"]
    parents = [-1, -1, 1, 1, 3, 1, 5]
    trace = trace_of([3, 5], text)
    trace.statements = [
        replace(statement, kind=kind, parent=parent)
        for statement, kind, parent in zip(trace.statements, kinds, parents, strict=True)
    ]
    assert show(result_of(trace, slice_of(trace, [0])), "source")[1:-2] == [
        '     1      │ """Doc."""',
        "     2      │ try:",
        " ▶   3 1/1  │     f()",
        "     4      │ except E:",
        "     5 0/1  │     x",
        "     6   -  │ except F:",
        "     7   -  │     y",
    ]


def test_long_stretches_without_anything_kept_are_folded_unless_all_is_shown() -> None:
    text = "x = 1\n" + "y = 2\n" * 40 + "print(x)\n"
    result = reduced(text, "stdout")
    lines = show(result, "source")
    assert len(lines) < 12
    assert any("36 more lines, nothing kept, 36 of them executed" in line for line in lines)
    assert len(show(result, "source", Style(full=True))) == 45


def test_the_table_is_the_papers_figure_6() -> None:
    checks = ("all=stdout", "sum=stdout:/^sum/", "mul=stdout:/^mul/")
    result = reduced(SAMPLE, *checks, stdin=SAMPLE_INPUT)
    lines = show(result, "table")
    assert lines[:9] == [
        "  event  statement            all  sum  mul",
        "  1_1    sum = 0               •    •",
        "  2_2    mul = 1               •         •",
        "  3_3    a = int(input())      •    •    •",
        "  4_4    b = int(input())",
        "  5_5    while a <= b:         ◦    ◦",
        "  6_6        sum = sum + a",
        "  7_7        mul = mul * a     •",
        "  8_8        a = a + 1         •    •",
    ]
    assert len(lines) == 32


LOOP = "total = 0\nwaste = 0\nfor i in range(1000):\n    waste += i\n    total += i\nprint(total)\n"


def test_repetitions_and_rows_nobody_keeps_are_folded_with_counts() -> None:
    trace = trace_of([1, 2, *[3, 4, 5] * 1000, 3, 6], LOOP)
    kept = [0, *(event for event in range(2, 3002) if (event - 2) % 3 != 1), 3003]
    assert show(result_of(trace, slice_of(trace, kept)), "table") == [
        "  event   statement              stdout",
        "  1_1     total = 0                •",
        "  2_2     waste = 0",
        "  3_3     for i in range(1000):    •",
        "  4_4         waste += i",
        "  5_5         total += i           •",
        "  ⋮       the same 3 rows 999 times more, up to 5_3002",
        "  3_3003  for i in range(1000):",
        "  6_3004  print(total)             •",
    ]
    few = show(result_of(trace, slice_of(trace, [0, 3003])), "table")
    assert few[2] == "  ⋮       3002 events left out"
    assert len(few) == 4


def test_nested_repetitions_fold_too() -> None:
    trace = trace_of([1, *([2] + [3] * 10) * 20, 4], "a\nb\nc\nd\n")
    lines = show(result_of(trace, slice_of(trace, range(len(trace)))), "table")
    assert lines == [
        "  event  statement  stdout",
        "  1_1    a            •",
        "  2_2    b            •",
        "  3_3    c            •",
        "  ⋮      the same row 9 times more, up to 3_12",
        "  ⋮      the same 3 rows 19 times more, up to 3_221",
        "  4_222  d            •",
    ]


def test_a_long_table_is_cut_in_the_middle_and_says_how_to_see_all() -> None:
    trace = trace_of(range(1, 1001), "".join(f"x{i} = {i}\n" for i in range(1000)))
    result = result_of(trace, slice_of(trace, range(1000)))
    lines = show(result, "table")
    assert len(lines) == 153
    assert "   ⋮ 850 rows not shown" in lines
    whole = render(result).splitlines()
    assert whole[-1] == "Not shown: 850 rows of the table. --show all shows everything."
    assert len(show(result, "table", Style(full=True))) == 1001


def test_statements_on_one_line_are_told_apart() -> None:
    lines = show(reduced("a = 1; b = 2; print(b)\n", "stdout"), "table")
    assert lines[1:] == [
        "  1_1    a = 1",
        "  1_2    b = 2        •",
        "  1_3    print(b)     •",
    ]


def test_tests_are_the_papers_figure_5() -> None:
    result = reduced("a = 1\nb = 2\nprint(a)\nc = 3\n", "stdout")
    assert show(result, "tests") == [
        "   1 │••  │ cannot be told",
        "   2 │  ••│ cannot be told",
        "   3 │•   │ cannot be told",
        "   4 │ •  │ cannot be told",
        "   5 │  • │ cannot be told",
        "   6 │   •│ cannot be told",
        "   7 │ •••│ cannot be told",
        "   8 │• ••│ shows it",
        "   9 │•  •│ cannot be told",
        "  10 │• • │ shows it",
        "     │• • │ the slice",
    ]


def test_a_wide_trace_is_scaled_to_the_terminal() -> None:
    text = "".join(f"x{i} = {i}\n" for i in range(199)) + "print(x0)\n"
    lines = show(reduced(text, "stdout"), "tests", Style(width=60))
    assert "A column stands for" in lines[0]
    assert all(cells(line) <= 60 for line in lines)
    assert len({line.rindex("│") for line in lines[1:]}) == 1


def test_the_summary_says_what_it_cost_and_how_sure_it_is() -> None:
    trace = trace_of([1, 2, 3], "a\nb\nc\n")
    found = slice_of(trace, [0, 2])
    other = slice_of(
        trace, [0], "x", certified=False, stopped=Reason.MAX_TESTS, verified=False, seconds=100
    )
    lines = show(result_of(trace, found, other, notes=["two threads ran in full"]), "summary")
    assert lines == [
        "               stdout                                 x",
        "events kept    2 of 3                                 1 of 3",
        "lines kept     2 of 3                                 1 of 3",
        "tests          12                                     12",
        "  of them      3 show it, 4 do not, 5 cannot be told"
        "  3 show it, 4 do not, 5 cannot be told",
        "time           0.5 s, 24 tests/s                      1 min 40 s, 0.1 tests/s",
        "in all         1.0 s                                  1.0 s",
        "1-minimal      yes                                    no: the limit of tests was reached",
        "fresh process  reproduced                             NOT reproduced",
        "note: two threads ran in full",
    ]


def test_nothing_depends_on_colour() -> None:
    result = reduced(SAMPLE, "stdout", stdin=SAMPLE_INPUT)
    plain = render(result, SECTIONS, PLAIN)
    coloured = render(result, SECTIONS, Style(colour=True))
    assert "\x1b" not in plain
    assert coloured != plain
    assert re.sub(r"\x1b\[[\d;]+m", "", coloured) == plain


def test_ascii_is_enough() -> None:
    result = reduced(SAMPLE, "stdout", stdin=SAMPLE_INPUT)
    assert render(result, SECTIONS, Style(unicode=False)).isascii()


@pytest.mark.parametrize("width", [40, 60, 80, 200])
def test_no_line_is_wider_than_the_terminal(width: int) -> None:
    text = f"x = 'größe 日本' {'+ str(1)' * 30}\nprint(x)\n" + "y = 1\n" * 10
    result = reduced(text, "stdout", "a-rather-long-name=stdout+exit")
    for line in render(result, SECTIONS, Style(width=width)).splitlines():
        assert cells(line) <= width, line


def test_programs_cannot_control_the_terminal() -> None:
    result = reduced("x = '\x1b[31m'\nprint(x)\t# tab\n", "stdout")
    shown = render(result, SECTIONS, PLAIN)
    assert "\x1b" not in shown
    assert "\t" not in shown
    assert r"\x1b[31m" in shown


class Terminal(io.StringIO):
    """A terminal of a given encoding."""

    def __init__(self, encoding: str = "utf-8") -> None:
        super().__init__()
        self._encoding = encoding

    @property
    def encoding(self) -> str:  # type: ignore[override]
        return self._encoding

    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize(
    ("environment", "colour"),
    [
        ({"TERM": "xterm"}, True),
        ({"TERM": "dumb"}, False),
        ({"TERM": "xterm", "NO_COLOR": "1"}, False),
        ({"TERM": "xterm", "NO_COLOR": ""}, True),
    ],
)
def test_colour_is_for_terminals_that_want_it(
    environment: dict[str, str], colour: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("NO_COLOR", "FORCE_COLOR"):
        monkeypatch.delenv(name, raising=False)
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    assert Style.of(Terminal()).colour is colour
    assert not Style.of(io.StringIO()).colour


def test_characters_follow_the_encoding() -> None:
    assert Style.of(Terminal()).unicode
    assert not Style.of(Terminal("ascii")).unicode
    assert not Style.of(Terminal("latin-1")).unicode


@pytest.mark.parametrize(
    ("seconds", "text"),
    [
        (0.004, "4 ms"),
        (0.5, "0.5 s"),
        (9.96, "10 s"),
        (61, "61 s"),
        (125, "2 min 05 s"),
        (7265, "2 h 01 min"),
    ],
)
def test_durations(seconds: float, text: str) -> None:
    assert duration(seconds) == text


def test_printable_keeps_what_can_be_seen() -> None:
    assert printable("a\tü\x07\u202e") == r"a       ü\x07\u202e"


def test_once_the_time_is_over_long_sections_are_cut_and_say_so(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(late, "FEWEST_LINES", 3)
    result = reduced(SAMPLE, "stdout", stdin=SAMPLE_INPUT)
    style = Style(full=True)
    whole = list(terminal.lines(result, SECTIONS, style))
    cut = list(terminal.lines(result, SECTIONS, style, Deadline(0.0)))
    assert len(cut) < len(whole)
    assert late.CUT in cut
    assert "--max-time" in late.CUT
    heads = [line for line in whole if line.startswith(RULE)]
    assert [line for line in cut if line.startswith(RULE)] == heads, "each section is there"
    assert whole == list(terminal.lines(result, SECTIONS, style, Deadline(3600.0)))


def test_what_is_installed_or_a_package_elsewhere_is_told_from_the_package_on(tmp_path):
    inner = tmp_path / "shop" / "parts"
    inner.mkdir(parents=True)
    for folder in (inner, inner.parent):
        (folder / "__init__.py").touch()
    style = Style(base=tmp_path / "project")
    assert style.path("/opt/env/lib/python3.13/site-packages/h11/_util.py") == "h11/_util.py"
    assert style.path(str(inner / "box.py")) == "shop/parts/box.py"
    assert style.path(str(tmp_path / "project" / "shop.py")) == "shop.py"
    assert style.path(str(tmp_path / "alone.py")) == str(tmp_path / "alone.py")
