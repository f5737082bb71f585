"""One change of one place: in the tree, compiled as one function, and as text."""

from __future__ import annotations

import ast

import pytest

from stripe_pytrace.agent.mutants.deltas import (
    AFTER,
    BEFORE,
    JOIN,
    REPLACE,
    SWAP,
    Parsed,
    pairs,
    replaced,
)  # fmt: skip
from stripe_pytrace.agent.mutants.enumeration import offers
from stripe_pytrace.agent.mutants.source_edits import rewritten
from stripe_pytrace.agent.observing.spectra import literal
from tests.stripe_pytrace.offering import made
from tests.support.tables import tables

TABLES = tables(__file__)
PLACES = TABLES["places"]


def number(file: Parsed, text: str) -> int:
    """The last node of that text, as it stands in the file."""
    found = [
        index
        for index, node in enumerate(file.nodes)
        if isinstance(node, ast.expr | ast.stmt)
        and ast.unparse(node) == text
        and not isinstance(getattr(node, "ctx", None), ast.Store)
    ]
    return max(found, key=lambda index: file.nodes[index].lineno)  # type: ignore[attr-defined]


@pytest.mark.parametrize("name", PLACES)
def test_a_change_takes_effect(name):
    """In a fresh execution, and in functions that were made before."""
    text, old, new, value = PLACES[name]
    file = Parsed("<m>", text.encode())
    code = replaced(file.code, *file.changed(number(file, old), REPLACE, new))
    namespace: dict = {"__name__": "m"}
    exec(code, namespace)
    assert namespace["out"] == value


def test_functions_that_are_there_get_the_new_code():
    """Also a closure that was made already, which needs as many free variables."""
    text = "def outer():\n    x = 3\n    def inner(y):\n        return x + y\n    return inner\n"
    file = Parsed("<m>", text.encode())
    namespace: dict = {}
    exec(file.code, namespace)
    inner = namespace["outer"]()
    by_code = dict(pairs(*file.changed(number(file, "x + y"), REPLACE, "y")))
    inner.__code__ = by_code[inner.__code__]
    assert inner(5) == 5
    assert inner.__closure__[0].cell_contents == 3


def test_only_the_function_is_compiled_again():
    file = Parsed("<m>", b"def f():\n    return 1\ndef g():\n    return 2\n")
    before = file.codes()
    code = replaced(file.code, *file.changed(number(file, "1"), REPLACE, "3"))
    assert before[("g", 3)] in code.co_consts
    assert before[("f", 1)] not in code.co_consts


@pytest.mark.parametrize(
    ("how", "text", "wanted"),
    [
        (BEFORE, "return 0", "def f(a):\n    return 0\n    a += 1  # one\n    return a\n"),
        (AFTER, "a = 2", "def f(a):\n    a += 1  # one\n    a = 2\n    return a\n"),
        (REPLACE, "pass", "def f(a):\n    pass  # one\n    return a\n"),
        (SWAP, "return a", "def f(a):\n    return a\n    a += 1  # one\n"),
    ],
)
def test_statements_as_text(how, text, wanted):
    """Comments stay, and the text means what the tree means."""
    file = Parsed("<m>", b"def f(a):\n    a += 1  # one\n    return a\n")
    assert rewritten(file, number(file, "a += 1"), how, text) == wanted


def test_brackets_are_added_where_the_text_needs_them():
    file = Parsed("<m>", b"x = 2 * len(y)\n")
    assert (
        rewritten(file, number(file, "len(y)"), REPLACE, "len(y) + 1") == "x = 2 * (len(y) + 1)\n"
    )


FUNCTION = """\
def f(numbers, low, high):
    total = 0
    for each in numbers:
        if low < each and each != 3:
            total += each
    return total
"""


@pytest.mark.parametrize(
    "words",
    [
        "`low <= each` instead of `low < each`",
        "`low < each or each != 3` instead of `low < each and each != 3`",
        "`not (low < each and each != 3)` instead of `low < each and each != 3`",
        "`4` instead of `3`",
        "`1` instead of `0`",
        "`high` instead of `low`",
        "`True` instead of `low < each and each != 3`",
        "`low < each` instead of `low < each and each != 3`",
        "leave out `total += each`",
        "`total -= each` instead of `total += each`",
        "`total + 1` instead of `total`",
        "insert `continue` before this",
        "insert `return total` before this",
        "insert `if low < each: return 0` before this",
    ],
)
def test_changes_that_are_offered(words):
    assert words in made(FUNCTION)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("def f(a, b):\n    return g(a, b)\n", "`g(b, a)` instead of `g(a, b)`"),
        ("def f(a, b):\n    return a / b\n", "`b / a` instead of `a / b`"),
        ("def f(a):\n    return a.lstrip()\n", "`a.strip` instead of `a.lstrip`"),
        ("def f(a):\n    return min(a)\n", "`max` instead of `min`"),
        ("class A:\n    def f(self):\n        self.x = self.y\n", "`self.x` instead of `self.y`"),
        ("def f(a):\n    a()\n    b()\n", "`b()` before `a()`"),
        ("def f(a):\n    return 'Ab'\n", "`'ab'` instead of `'Ab'`"),
        ("def f(a):\n    return m(r'^\\d+$', a)\n", "`'^\\\\d*$'` instead of `'^\\\\d+$'`"),
        ("def f(a):\n    return m(r'^\\d+$', a)\n", "`'^\\\\d+?$'` instead of `'^\\\\d+$'`"),
        ("def f(a):\n    return m(r'[a-z]\\.', a)\n", "`'[^a-z]\\\\.'` instead of `'[a-z]\\\\.'`"),
    ],
)
def test_changes_of_other_kinds(text, words):
    assert words in made(text)


IDEAS = TABLES["ideas"]


@pytest.mark.parametrize("name", IDEAS)
def test_changes_against_mistakes_that_are_no_slip(name):
    body, words = IDEAS[name]
    assert words in made(f"def f(a, b, c):\n    {body}\n")


def test_texts_are_compared_in_small_letters_and_without_their_first():
    values = {("<m>", "f"): {"a": ["'x'"], "b": ["5"]}}
    found = made("def f(a, b):\n    return a + b\n", values=values)
    assert {"`a.lower()` instead of `a`", "`a[1:]` instead of `a`"} <= found
    assert not any("b.lower" in each for each in found)


def test_what_is_moved_is_suspected_itself():
    """Where the statement stands that is one too far in, and not where the loop begins."""
    file = Parsed("<m>", b"def f(a):\n    for x in a:\n        g()\n        h()\n    k()\n")
    moved = {
        each.how: each for each in offers(file, {2, 3, 4, 5}, {}) if each.kind == "indentation"
    }
    assert {how: (each.line, each.first) for how, each in moved.items()} == {
        REPLACE: (4, 2), JOIN: (5, 2),
    }  # fmt: skip
    assert moved[JOIN].end == 5


def test_a_statement_that_is_moved_in_is_behind_no_more():
    file = Parsed("<m>", b"def f(a):\n    for x in a:\n        g()\n    k()  # one\n")
    (change,) = (each for each in offers(file, {2, 3, 4}, {}) if each.how == JOIN)
    wanted = "def f(a):\n    for x in a:\n        g()\n        k()  # one\n"
    assert rewritten(file, change.number, change.how, change.text) == wanted


def test_numbers_of_a_function_are_added_to_its_formulas():
    values = {("<m>", "f"): {"a": ["3"], "b": ["5"], "c": ["'x'"]}}
    found = made("def f(a, b, c):\n    return a\n", values=values)
    assert {"`a - b` instead of `a`", "`max(a, b)` instead of `a`"} <= found
    assert not any("a + c" in each for each in found)
    found = made("def f(a, b, c):\n    return c if b < 10 else a * b\n", values=values)
    assert "`10 - b` instead of `b`" in found


def test_variables_that_hold_something_else_are_larger_changes():
    file = Parsed("<m>", b"def f(a, b, c):\n    return a\n")
    values = {("<m>", "f"): {"a": ["3"], "b": ["5"], "c": ["'x'"]}}
    sizes = {each.text: each.size for each in offers(file, {2}, values) if each.kind == "variable"}
    assert sizes == {"b": 1, "c": 2}


def test_what_is_put_before_the_next_statement_is_not_put_behind_this_one():
    found = made("def f(a):\n    for x in a:\n        g()\n        h()\n")
    assert "insert `continue` after this" in found
    file = Parsed("<m>", b"def f(a):\n    for x in a:\n        g()\n        h()\n")
    after = {each.line for each in offers(file, {2, 3, 4}, {}) if each.how == AFTER}
    assert after == {2, 4}


def test_all_that_is_offered_can_be_read():
    file = Parsed("<m>", FUNCTION.encode())
    for each in offers(file, set(range(1, 7)), {}):
        ast.parse(each.text)


@pytest.mark.parametrize("text", ["largest = max(*parts, least)", "parts[1:] = parts[1:] + least"])
def test_what_is_no_expression_costs_itself_only(text):
    """`(*parts) + (least)` is none: the other changes are offered nevertheless."""
    assert made(f"def f(parts, least):\n    {text}\n    return parts\n")


def test_values_that_were_seen_are_offered():
    values = {("<m>", "f"): {"low": ["1", "True"]}}
    found = made(FUNCTION, values=values)
    assert {"`1` instead of `low`", "`True` instead of `low`"} <= found


def test_true_is_not_one():
    """Values are told apart by type, too."""
    assert [literal(each) for each in (True, 1, 1.0)] == ["True", "1", "1.0"]


@pytest.mark.parametrize("text", ['"""Words."""\n', 'def f(a):\n    """Words."""\n'])
def test_docstrings_are_left_alone(text):
    assert made(text) == set()


def test_texts_of_formatted_strings_and_patterns_are_left_alone():
    text = "match x:\n    case 1:\n        y = f'a{x}'\n"
    assert not any("`2` instead of `1`" in each or "'A'" in each for each in made(text))


# --- no more of the text is changed than what differs

WRITTEN = {
    "a pattern of several lines": (
        "x = f(r'''(?x)\n  a+|  # one\n  \\d*''')\n", "a+|  #", "a*|  #",
    ),
    "a string with escapes": ("x = 'a\\tb\\x41c'\n", "b\\x41", "B\\x41"),
    "a quote in a string": ("x = 'it'\n", "it", "i\\'t"),
    "one of literals beside each other": (
        "x = ('first'\n     \"second\")  # why\n", "second", "Second",
    ),
    "an entry of a dictionary": (
        "x = {\n    'a': 1,  # one\n    'b': 2,\n}\n", "2,", "3,",
    ),
    "a part of a tuple": ("x = (\n    a,\n    b,  # two\n)\n", "b,", "c,"),
    "an argument": ("x = f(\n    a ,\n    b = 1)\n", "b = 1", "b = 2"),
    "an operator": ("x = (first  # one\n     + second)\n", "+", "-"),
    "a comparison": ("x = a  <  b <= c\n", "<=", "<"),
}  # fmt: skip


@pytest.mark.parametrize("name", WRITTEN)
def test_what_is_the_same_stays_as_it_is_written(name: str) -> None:
    source, old, new = WRITTEN[name]
    wanted = source.replace(old, new, 1)
    file = Parsed("m.py", source.encode())
    node, other = (ast.parse(each).body[0].value for each in (source, wanted))  # type: ignore[attr-defined]
    place = number(file, ast.unparse(node))
    assert rewritten(file, place, REPLACE, ast.unparse(other)) == wanted


@pytest.mark.parametrize(
    ("written", "new"),
    [
        (r"'a\n' r'\d+'", "a\n\\d*"), (r"'a\n' r'\d+'", "b\n\\d+"), ("'abc'", "ab\nc"),
        ("'ab' 'cd'", "aXd"), ("'a\\\nb'", "aXb"), (r"r'a'", "a'"), ("b'a'", "b"), ("f'{a}'", "b"),
        (r"'\N{BULLET}\u2022\101'", "\u2022\u2022B"), ("''", "x"), ("'x'", ""),
    ],
)  # fmt: skip
def test_a_string_that_is_edited_means_what_it_is_to_mean(written: str, new: str) -> None:
    """Or it is not edited: the text is parsed again."""
    source = f"x = {written}\n"
    file = Parsed("m.py", source.encode())
    value = ast.parse(source).body[0].value  # type: ignore[attr-defined]
    text = rewritten(file, file.nodes.index(_same(file, value)), REPLACE, repr(new))
    assert text is not None
    assert ast.literal_eval(ast.parse(text).body[0].value) == new  # type: ignore[attr-defined]


def _same(file: Parsed, value: ast.expr) -> ast.AST:
    wanted = ast.dump(value)
    return next(each for each in file.nodes if ast.dump(each) == wanted)
