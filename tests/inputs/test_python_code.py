"""Program code as input: what is left, and that nothing more can go."""

from __future__ import annotations

import ast
import warnings

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from stripe.dd import AxiomViolated, Outcome, Reason
from stripe.inputs import ReducedProgram, reduce_program
from stripe.units.model import Units
from stripe.units.python_edits import TRANSFORMATIONS, edited, sites, weight
from stripe.units.python_names import Inlined, Unified, variables
from tests.dd.book import HTML_MARKUP, MARKUP_TEST


def markup_test(source: str) -> Outcome:
    """The test of the Debugging Book's chapter."""
    try:
        exec(source + MARKUP_TEST, {}, {})
    except AssertionError as error:
        return Outcome.FAIL if str(error) == "My Test" else Outcome.UNRESOLVED
    except Exception:
        return Outcome.UNRESOLVED
    return Outcome.PASS


def has(*needed: str):
    """Fails if all of these are in the program, as text."""
    return lambda source: Outcome.FAIL if all(text in source for text in needed) else Outcome.PASS


def neighbours(source: str) -> set[str]:
    """Every valid program with a line less, one transformation in one place, or a variable less."""
    lines = source.splitlines(keepends=True)
    found = {"".join(lines[:i] + lines[i + 1 :]) for i in range(len(lines))}
    tree = ast.parse(source)
    for transformation in TRANSFORMATIONS:
        for site in sites(tree, transformation):
            try:
                smaller = edited(tree, site.edits())
                found.add(ast.unparse(smaller) + "\n" if smaller.body else "")
            except Exception:
                continue
    data = source.encode()
    fewer: list[Units] = [Inlined(data), *(Unified(data, name) for name in variables(data))]
    for units in fewer:
        every = range(len(units))
        found |= {units.render(tuple(u for u in every if u != g)).decode() for g in every}
    valid = set()
    for candidate in found:
        try:
            compile(candidate, "<candidate>", "exec")
        except SyntaxError:
            continue
        valid.add(candidate)
    return valid


def test_the_program_of_the_book() -> None:
    reduced = reduce_program(HTML_MARKUP, markup_test)

    assert reduced.source.splitlines() == [
        "def remove_html_markup(s):",
        "    tag = False",
        "    out = ''",
        "    for c in s:",
        "        if c == '<':",
        "            tag = True",
        "        elif c == '>':",
        "            tag = False",
        "        elif c == '\"':",
        "            pass",
        "        elif not tag:",
        "            out = out + c",
        "    return out",
    ]
    assert reduced.certified
    assert reduced.by_tree
    # The book's answer has one statement more, "pass", in place of an assignment.
    assert all(markup_test(smaller) is not Outcome.FAIL for smaller in neighbours(reduced.source))


@pytest.mark.parametrize(
    ("source", "needed", "left"),
    [
        ("x = 1\nif x:\n    y = needle\nelse:\n    z = 2\n", "needle", "needle\n"),
        ("if a < b:\n    pass\nelse:\n    needle()\n", "needle", "needle\n"),
        ("while a < b and c:\n    break\n", "while", "while None:\n    pass\n"),
        ("def f(a, b=1, *c, d=needle, **e):\n    return a\n", "def", "def f():\n    pass\n"),
        ("def f(a, b=1, *, d=needle):\n    return a\n", "d=", "def f(*, d=None):\n    pass\n"),
        ("x = {'a': 1, **b, 'c': needle}\n", "needle", "needle\n"),
        ("f(1, *args, key=needle[0].attribute)\n", "needle", "needle\n"),
        ("class A(B, metaclass=C):\n    x: int = 1\n", "class", "class A:\n    pass\n"),
        ("@decorated\nasync def f():\n    await g()\n", "async", "async def f():\n    pass\n"),
        (
            "try:\n    f()\nexcept (A, B) as e:\n    raise C from e\nfinally:\n    h()\n",
            "try",
            "try:\n    pass\nfinally:\n    pass\n",
        ),
        ("try:\n    f()\nexcept A:\n    needle()\n", "needle", "needle\n"),
        ("with a as b, c:\n    for i in x:\n        needle += 1\n", "needle", "needle += 0\n"),
        ("from a import b, c as d\n", "import", "from a import "),
        ("print(f'{a!r:>{width}} {needle} {c}')\n", "needle", "needle\n"),
        ("match x:\n    case [1, *r] if r:\n        f()\n", "match", "match None:\n"),
        ("x = 5  # a comment with a needle\n", "#", "# a comment with a needle"),
    ],
)
def test_what_is_left(source: str, needed: str, left: str) -> None:
    reduced = reduce_program(source, has(needed))
    assert reduced.certified
    if reduced.by_tree:
        assert reduced.source.startswith(left)
        assert all(needed not in smaller for smaller in neighbours(reduced.source))
    else:  # comments are no part of a tree
        assert reduced.source == source


@pytest.mark.filterwarnings("ignore::SyntaxWarning")
@pytest.mark.parametrize(
    ("source", "left"),
    [
        (
            "def f(a, b):\n    log(a)\nf(1, 2)\nf(3, b=4)\n",
            "def f(a):\n    log(a)\nf(1)\nf(3)\n",
        ),
        (
            "def f(a, *, key, other=2):\n    log(a)\nf(1, key=2)\nf(a=3, key=4)\n",
            "def f(a):\n    log(a)\nf(1)\nf(a=3)\n",
        ),
        (
            "class A:\n    def __init__(self, a, b):\n        log(b)\n"
            "    def m(self, a, b):\n        log(a)\nA(2, 1).m(3, 4)\n",
            "class A:\n    def __init__(self, b):\n        log(b)\n"
            "    def m(self, b):\n        log(b)\nA(1).m(3)\n",
        ),
        (
            "class A:\n    def m(self, a, b):\n        log(a)\n"
            "class B:\n    def m(self, a, b):\n        log(a)\n"
            "A().m(1, 2)\nB().m(3, 4)\n",
            "class A:\n    def m(self, a):\n        log(a)\n"
            "class B:\n    def m(self, a):\n        log(a)\n"
            "A().m(1)\nB().m(3)\n",
        ),
        (
            "def f(a, b):\n    log(a)\nf(*[1], 2)\nf(3, 4)\n",
            "def f(a, b):\n    log(a)\nf(*[1], 0)\nf(3, 0)\n",
        ),
    ],
    ids=[
        "by position and by name",
        "by name only",
        "of methods",
        "of the same name",
        "behind a star",
    ],
)
def test_a_parameter_goes_with_its_arguments(source: str, left: str) -> None:
    def test(source: str) -> Outcome:
        logged: list[object] = []
        try:
            exec(source, {"log": logged.append})
        except Exception:
            return Outcome.UNRESOLVED
        return Outcome.FAIL if logged == [1, 3] else Outcome.PASS

    assert reduce_program(source, test).source == left


def test_every_form_of_statement_can_be_taken_apart() -> None:
    """Nothing in our own sources is too hard to write again, or to test."""
    import stripe.units.python_edits as module

    assert module.__file__
    with open(module.__file__, encoding="utf-8") as file:
        source = file.read()
    reduced = reduce_program(source, has("yield", "*", "assert", "not in"))
    assert len(reduced.source) < 120
    assert reduced.certified


def test_programs_that_are_not_valid_are_reduced_by_lines() -> None:
    reduced = reduce_program("a = 1\nb = (\nc = 3\n", has("("))
    assert (reduced.source, reduced.by_tree, reduced.certified) == ("b = (\n", False, True)


def test_no_program_is_tested_twice_and_none_that_does_not_compile() -> None:
    tested: list[str] = []

    def test(source: str) -> Outcome:
        tested.append(source)
        compile(source, "<test>", "exec")
        return has("quote", "for")(source)

    reduced = reduce_program(HTML_MARKUP, test)
    assert len(tested) == len(set(tested)) == reduced.tests


def test_improvements_are_told_at_once() -> None:
    found: list[str] = []
    reduced = reduce_program(HTML_MARKUP, markup_test, improved=found.append)
    assert all(markup_test(source) is Outcome.FAIL for source in found)
    assert [len(source) for source in found] == sorted(map(len, found), reverse=True)
    assert found[-1] == reduced.source


def test_budgets_leave_the_best_so_far() -> None:
    for count in (1, 20):
        reduced = reduce_program(HTML_MARKUP, markup_test, max_tests=count)
        assert reduced.tests <= count
        assert reduced.reason is Reason.MAX_TESTS
        assert not reduced.certified
        assert markup_test(reduced.source) is Outcome.FAIL
    assert reduce_program("x\n", has("x"), stop=lambda: True).reason is Reason.STOPPED
    assert reduce_program("x\n", has("x"), max_time=0).reason is Reason.MAX_TIME


def test_a_program_that_does_not_fail() -> None:
    with pytest.raises(AxiomViolated):
        reduce_program("x = 1\n", has("y"))


NAMES = st.sampled_from(["a", "b", "needle"])
EXPRESSIONS = st.recursive(
    NAMES | st.sampled_from(["0", "7", "'text'", "None", "True"]),
    lambda inner: st.one_of(
        st.tuples(inner, inner).map(lambda p: f"({p[0]} < {p[1]})"),
        st.tuples(inner, inner).map(lambda p: f"({p[0]} and {p[1]})"),
        st.tuples(inner, inner).map(lambda p: f"f({p[0]}, k={p[1]})"),
        st.lists(inner, max_size=3).map(lambda p: f"[{', '.join(p)}]"),
        st.tuples(inner, inner, inner).map(lambda p: f"({p[0]} if {p[1]} else {p[2]})"),
        st.tuples(inner, inner).map(lambda p: "{" + f"{p[0]}: {p[1]}" + "}"),
        inner.map(lambda p: f"(not {p})"),
    ),
    max_leaves=5,
)


def indented(block: list[str]) -> str:
    return "".join(f"    {line}\n" for line in "".join(block).splitlines()) or "    pass\n"


STATEMENTS = st.recursive(
    st.tuples(NAMES, EXPRESSIONS).map(lambda p: f"{p[0]} = {p[1]}\n")
    | EXPRESSIONS.map(lambda p: f"{p}\n"),
    lambda inner: st.one_of(
        st.tuples(EXPRESSIONS, st.lists(inner, max_size=2), st.lists(inner, max_size=2)).map(
            lambda p: f"if {p[0]}:\n{indented(p[1])}else:\n{indented(p[2])}"
        ),
        st.tuples(NAMES, EXPRESSIONS, st.lists(inner, max_size=2)).map(
            lambda p: f"for {p[0]} in {p[1]}:\n{indented(p[2])}"
        ),
        st.tuples(NAMES, EXPRESSIONS, st.lists(inner, max_size=2)).map(
            lambda p: f"def {p[0]}(a, b={p[1]}):\n{indented(p[2])}"
        ),
    ),
    max_leaves=6,
)
PROGRAMS = st.lists(STATEMENTS, min_size=1, max_size=4).map("".join)


@settings(max_examples=30)
@given(PROGRAMS, st.sets(st.sampled_from(["needle", "<", "def", "for", "else", "and"])))
def test_nothing_more_can_go_from_any_program(source: str, needed: set[str]) -> None:
    needed = {text for text in needed if text in source}
    test = has(*needed)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        reduced: ReducedProgram = reduce_program(source, test)
        assert test(reduced.source) is Outcome.FAIL
        assert reduced.certified
        assert reduced.by_tree
        assert all(test(smaller) is not Outcome.FAIL for smaller in neighbours(reduced.source))


@settings(max_examples=12)
@given(PROGRAMS)
def test_every_transformation_makes_the_tree_lighter(source: str) -> None:
    tree = ast.parse(source)
    dump = ast.dump(tree)
    before = weight(tree)
    for transformation in TRANSFORMATIONS:
        for site in sites(tree, transformation)[:10]:
            smaller = edited(tree, site.edits())
            assert weight(smaller) < before
    assert ast.dump(tree) == dump
