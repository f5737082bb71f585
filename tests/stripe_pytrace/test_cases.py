"""Changes against cases that are missing, and conditions that are wrong as a whole."""

from __future__ import annotations

import pytest

from stripe_pytrace.agent.mutants.caught_exceptions import COMMON
from stripe_pytrace.agent.mutants.deltas import Parsed
from stripe_pytrace.agent.mutants.enumeration import offers
from tests.stripe_pytrace.offering import made
from tests.support.tables import tables

SEEN = {("<m>", "f"): {"a": ["'one'", "'two'"], "b": ["5", "None"], "c": ["[]"], "d": ["7"]}}

NEVER = "def f(a, b, c, d):\n    if {}:\n        b = d\n    return b\n"


def never(condition: str) -> set[str]:
    """The changes of a condition that did not hold in the failing tests."""
    found = made(NEVER.format(condition), values=SEEN, lines={2, 4})
    return {each.partition("`")[2].partition("` instead of `")[0] for each in found}


@pytest.mark.parametrize(
    "wanted",
    [
        *("a == 'one'", "b is None", "b > d", "b == d", "a in c", "b not in c"),
        *("b", "not c", "d > b", "a.isdigit()"),
    ],
)
def test_a_constant_condition_becomes_what_variables_were(wanted):
    assert wanted in never("False")


def test_what_is_assigned_was_perhaps_compared():
    text = "def f(a, b):\n    if True:\n        a[b] = b + 1\n    return a\n"
    wanted = ("b + 1 > a[b]", "b + 1 < a[b]", "a[b] is None")
    assert {f"`{each}` instead of `True`" for each in wanted} <= made(text)


def test_attributes_and_types_that_the_file_asks_about():
    text = (
        "class A:\n    def f(self, a):\n        if False:\n            self.b = a\n"
        "        return self.c\n"
        "    def g(self, a):\n        return isinstance(a, Exception)\n"
    )
    wanted = ("self.c", "not self.b", "isinstance(a, Exception)")
    assert {f"`{each}` instead of `False`" for each in wanted} <= made(text, lines={3, 5})


def test_nothing_is_added_to_a_constant_condition():
    """`False or a` is `a`."""
    assert "(b) or (d)" in never("b")
    assert not any("False or " in each or "(False) or" in each for each in never("False"))


def test_a_condition_that_never_held_has_a_case_more():
    found = never("a == 'three'")
    assert "a == 'three' or a == 'two'" in found
    assert not any("or d ==" in each for each in found)


def test_a_condition_that_held_has_not():
    text = NEVER.format("a == 'three'")
    assert not any("or a == 'two'" in each for each in made(text, values=SEEN))


def test_a_sign_of_the_function_is_looked_for_in_its_texts():
    text = "def f(a):\n    if False:\n        return a.split('=')\n    return a\n"
    assert "`'=' in a` instead of `False`" in made(text, values=SEEN, lines={2, 4})


def test_a_condition_like_another_one_about_its_own_variable():
    text = (
        "def f(a, b, c):\n    if b is None or g(a, b) > 0:\n        return 1\n"
        "    if c is None or a > c:\n        return 2\n"
    )
    assert "`c is None or g(a, c) > 0` instead of `c is None or a > c`" in made(text)


TABLES = tables(__file__)
STATEMENTS = TABLES["statements"]


@pytest.mark.parametrize("name", STATEMENTS)
def test_what_is_offered(name):
    body, words = STATEMENTS[name]
    assert any(words in each for each in made(f"def f(a, b, c):\n    {body}\n"))


def test_an_argument_that_is_not_kept_is_kept():
    text = "class A:\n    def __init__(self, a, b):\n        self.a = a\n        pass\n"
    assert "`self.b = b` instead of `pass`" in made(text)
    assert not any("self.b = b" in each for each in made(text.replace("self.a = a", "g(a)")))


def test_texts_have_a_default_and_what_else_the_function_adds():
    text = "def f(a):\n    b = g(a)\n    if b:\n        return '/' + b\n    return b\n"
    found = made(text, values={("<m>", "f"): {"b": ["''"]}})
    assert {"`b or '/'` instead of `b`", "`b + '/'` instead of `b`"} <= found


def test_texts_of_digits_become_numbers():
    text = "def f(a):\n    return [b for b in a.split()], tuple(c for c in a)\n"
    found = made(text, values={("<m>", "f"): {"b": ["'1'"]}})
    assert {
        "`int(b) if b.isdigit() else b` instead of `b`",
        "`int(c) if c.isdigit() else c` instead of `c`",
    } <= found


def test_a_case_of_nothing_where_something_is_made_of_a_list():
    text = "def f(a):\n    b = '?' + '&'.join(a)\n    return b\n"
    found = made(text, values={("<m>", "f"): {"a": ["[]"], "b": ["'?'"]}})
    assert "`b = '?' + '&'.join(a) if a else ''` instead of `b = '?' + '&'.join(a)`" in found


@pytest.mark.parametrize("check", ["assert a", "raise AssertionError(a)"])
def test_what_tells_of_a_mistake_is_changed_last(check):
    """Without it no test fails for it."""
    file = Parsed("<m>", f"def f(a):\n    g(a)\n    {check}\n".encode())
    sizes: dict[int, int] = {}
    for each in offers(file, {2, 3}, {}):
        sizes[each.line] = min(each.size, sizes.get(each.line, 9))
    assert sizes == {2: 2, 3: 5}


PLACEHOLDER = """\
class A:
    def f(self, number, text):
        found = []
        total = 0
        for each in text:
            total = each
            {}
        return found, total

    def g(self):
        raise KeyError("no")
"""


@pytest.mark.parametrize(
    "wanted",
    [
        *("found.append(each)", "total += number", "number -= 1", "text += each"),
        *("raise KeyError", "raise ValueError", "self.g()"),
    ],
)
def test_statements_in_the_place_of_nothing(wanted):
    seen = {"number": ["1"], "total": ["0"], "text": ["'ab'"], "each": ["'a'"], "found": ["[]"]}
    values = {("<m>", "A.f"): seen}
    words = f"`{wanted}` instead of `pass`"
    assert words in made(PLACEHOLDER.format("pass"), values=values)
    elsewhere = made(PLACEHOLDER.format("self.h()"), values=values)
    assert not any(f"`{wanted}` instead" in each for each in elsewhere)


def test_tables_get_something_where_nothing_is_done():
    text = "def f(a, b):\n    c = {}\n    pass\n    return c\n"
    assert {"`c[a] = b` instead of `pass`", "`c[b] = a` instead of `pass`"} <= made(text)


def test_what_may_be_a_table_gets_something():
    text = "def f(a, b, c):\n    g(a)\n    pass\n"
    found = made(text, values={("<m>", "f"): {"b": ["1"], "c": ["'x'"]}})
    assert "`a[b] = c` instead of `pass`" in found
    assert not any("b[a] = " in each for each in found)


def test_long_texts_are_known_by_their_methods():
    """No more than 20 signs of a text are seen."""
    found = made("def f(a, b):\n    for c in a.split():\n        b.append(c)\n")
    assert "`a.lower()` instead of `a`" in found
    assert "`b.lower()` instead of `b`" not in found


def test_what_a_case_uses_is_there():
    text = "def f(a):\n    for b in a:\n        if False:\n            g(b.c)\n"
    wanted = ("b.c", "not b.c", "b.c > 0")
    assert {f"`{each}` instead of `False`" for each in wanted} <= made(text, lines={2, 3})


def test_what_others_put_into_an_object_is_put_there():
    text = (
        "class A:\n    def __init__(self):\n        self.b = []\n"
        "    def f(self, a):\n        g(a)\n        pass\n"
    )
    assert "`self.b.append(a)` instead of `pass`" in made(text)


def test_an_item_goes_on_beside_another_one():
    text = "def f(a, b):\n    a[1] += b\n    pass\n"
    found = made(text, values={("<m>", "f"): {"b": ["2"]}})
    assert {"`a[2] += b` instead of `pass`", "`a[0] += b` instead of `pass`"} <= found


@pytest.mark.parametrize(("other", "size"), [("g()", 2), ("", 3)])
def test_nothing_beside_something_is_the_smaller_change(other, size):
    """A block of one statement has to have it."""
    file = Parsed("<m>", f"def f(a):\n    if a:\n        {other}\n        pass\n".encode())
    found = [each for each in offers(file, {2, 3, 4}, {}) if each.kind == "insert statement"]
    assert {each.size for each in found} == {size}


def test_what_other_methods_call_with_such_names_is_called():
    text = (
        "class A:\n    def f(self, a):\n        b = g(a)\n        self.kept(b)\n"
        "        self.other(c)\n    def h(self, b):\n        return b\n"
    )
    found = made(text, lines={7})
    assert "insert `self.kept(b)` before this" in found
    assert "insert `self.other(c)` before this" not in found


def test_a_list_that_is_left_is_added_to_others():
    text = "def f(a, b, c, d):\n    return a + b\n"
    found = made(text, values={("<m>", "f"): {"c": ["[]"], "d": ["'x'"]}})
    assert "`a + b + c` instead of `a + b`" in found
    assert not any("a + b + d" in each for each in found)


DIFFERENCES = """\
def differences(a, b):
    def size():
        return len(a)
    if isinstance(a, set):
        if a - b:
            yield a - b
    if a != b:
        yield a, b
"""


def test_a_generator_returns_nothing_and_may_do_so_at_the_end_of_a_case():
    """A `return` that is missing where a case has done all, and no value: nobody would see it."""
    lines = set(range(4, 9))
    told = {each for each in made(DIFFERENCES, lines=lines) if "`return" in each}
    assert told == {"insert `return` before this", "insert `return` after this"}


def test_a_return_is_missing_at_the_end_of_a_case():
    text = "def f(a):\n    if a:\n        a = a + 1\n    print(a)\n    return a\n"
    assert "insert `return a` after this" in made(text, lines={3})


CAUGHT = """\
def f(a, b):
    try:
        a = b(a)
    except {}:
        a = 1
    return a
"""


@pytest.mark.parametrize(
    ("caught", "others"),
    [("ValueError", "ValueError"), ("(KeyError, Bad)", "KeyError, Bad"), ("Exception", "")],
)
def test_a_handler_catches_another_exception_as_well(caught, others):
    """And nothing else: no copy of an exception, nor its number."""
    told = made(CAUGHT.format(caught), lines={4})
    wanted = {f"({others}, {each})" for each in COMMON if each not in others} | {"Exception"}
    assert told == {f"`{each}` instead of `{caught}`" for each in wanted if others}
