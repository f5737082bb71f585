"""Changes against what is easily forgotten, and what is off by one in two places."""

from __future__ import annotations

import ast

import pytest

from stripe_pytrace.agent.mutants.deltas import JOIN, TURN, Parsed
from stripe_pytrace.agent.mutants.enumeration import offers
from stripe_pytrace.agent.mutants.source_edits import rewritten
from tests.stripe_pytrace.offering import made
from tests.support.tables import tables

SEEN = {("<m>", "f"): {"a": ["3"], "b": ["5"], "t": ["'x'"], "u": ["'y'"]}}

TABLES = tables(__file__)
FORGOTTEN = TABLES["forgotten"]


@pytest.mark.parametrize("name", FORGOTTEN)
def test_what_is_offered(name):
    body, words = FORGOTTEN[name]
    found = made(f"def f(a, b, t, u):\n    {body}\n", values=SEEN)
    assert any(words in each for each in found)


def test_a_copy_of_what_nobody_alters_is_no_small_change():
    file = Parsed("<m>", b"def f(a):\n    x = a.items\n    return x\n")
    assert not any(each.kind == "shared" for each in offers(file, {2, 3}, {}))


def test_parameters_with_a_default_are_passed_on():
    text = (
        "def g(a, *, strict=False, deep=False):\n    return a\n"
        "class C:\n    def m(self, a, strict):\n        self.deep = 1\n        return g(a)\n"
    )
    found = made(text)
    assert "`g(a, strict=strict)` instead of `g(a)`" in found
    assert "`g(a, deep=self.deep)` instead of `g(a)`" in found


def test_a_keyword_whose_value_is_unknown_here_is_not():
    text = "def f(a):\n    g(a)\ndef h(b):\n    g(b, strict=b)\n"
    assert not any("strict" in each for each in made(text, lines={2}))


def test_a_factor_of_the_class():
    text = (
        "class C:\n    def f(self, a):\n        a += 1\n        return a\n"
        "    def g(self, a):\n        return 2 * self.kinds[a]\n"
    )
    values = {("<m>", "C.f"): {"a": ["3"]}}
    assert "`a * self.kinds[a]` instead of `a`" in made(text, values=values)


def test_an_error_that_is_imported_may_have_to_be_raised():
    text = "from m import SyntaxTrouble, TextError\ndef f(a):\n    if a:\n        pass\n"
    found = made(text)
    assert "`raise TextError` instead of `pass`" in found
    assert not any("SyntaxTrouble" in each for each in found)


def test_what_is_never_read_is_put_where_something_is_missing():
    text = (
        "def f(a, node):\n    for b in a:\n        x = dict(a)\n        pass\n"
        "        g(x, node[1])\n"
    )
    assert "`x[node[1]] = b` instead of `pass`" in made(text)


def test_off_by_one_in_two_statements():
    source = b"def f(a):\n    b, c = divmod(a, 26)\n    return b + c - 1  # one\n"
    file = Parsed("<m>", source)
    wanted = "b, c = divmod(a - 1, 26)\nreturn b + c"
    (change,) = (each for each in offers(file, {2, 3}, {}) if each.text == wanted)
    assert change.how == JOIN
    assert change.words == f"`{wanted.replace(chr(10), '; ')}` instead of both"
    assert rewritten(file, change.number, change.how, change.text) == (
        "def f(a):\n    b, c = divmod(a - 1, 26)\n    return b + c  # one\n"
    )


def test_what_is_counted_from_one_in_two_statements():
    text = "def f(a, b):\n    b += a // 12\n    a = a % 12\n    return a, b\n"
    assert "`b += (a - 1) // 12; a = (a - 1) % 12 + 1` instead of both" in made(text)


def test_statements_that_have_nothing_in_common_are_left_alone():
    text = b"def f(a, b):\n    a += 2\n    b += 2\n    return a, b\n"
    kinds = [(each.kind, each.line) for each in offers(Parsed("<m>", text), {2, 3}, {})]
    assert ("off by one twice", 2) not in kinds


def test_a_statement_moved_by_two_places_is_suspected_itself():
    source = b"def f(a):\n    a = 1\n    b = 2\n    c = 3\n    return a\n"
    file = Parsed("<m>", source)
    moved = [each for each in offers(file, {2, 3, 4, 5}, {}) if each.how == TURN]
    assert {(each.line, each.text.replace("\n", "; ")) for each in moved} == {
        (2, "b = 2; c = 3; a = 1"),
        (4, "c = 3; a = 1; b = 2"),
    }
    assert rewritten(file, moved[0].number, TURN, moved[0].text) == (
        "def f(a):\n    b = 2\n    c = 3\n    a = 1\n    return a\n"
    )


def test_all_of_them_can_be_read():
    for body, _ in FORGOTTEN.values():
        text = f"def f(a, b, t, u):\n    {body}\n"
        for each in offers(Parsed("<m>", text.encode()), set(range(1, 10)), SEEN):
            ast.parse(each.text)


def test_a_copy_of_what_is_altered_is_a_small_change():
    file = Parsed("<m>", b"def f(a):\n    x = a\n    x.append(1)\n    return x\n")
    sizes = {each.text: each.size for each in offers(file, {2, 3, 4}, {}) if each.line == 2}
    assert sizes["a.copy()"] == 1
