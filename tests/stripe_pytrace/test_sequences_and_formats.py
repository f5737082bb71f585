"""Changes of comparisons, indices, attributes, sequences and formats, by what variables held."""

from __future__ import annotations

import ast

import pytest

from stripe_pytrace.agent.mutants.deltas import Parsed
from stripe_pytrace.agent.mutants.enumeration import offers
from stripe_pytrace.agent.mutants.format_operators import MOST, formats
from tests.stripe_pytrace.offering import made
from tests.support.tables import tables

SEEN = {
    ("<m>", "f"): {
        "i": ["3"], "k": ["5"], "name": ["'x'"], "name[]": ["str"], "items[]": ["list"],
        "basket.": ["price", "weight"],
    }
}  # fmt: skip
TABLES = tables(__file__)


def offered(body: str) -> set[str]:
    return made(f"def f(i, k, name, items, basket):\n    {body}\n", values=SEEN)


@pytest.mark.parametrize("name", TABLES["offered"])
def test_what_is_offered(name):
    body, words = TABLES["offered"][name]
    assert any(words in each for each in offered(body))


@pytest.mark.parametrize("name", TABLES["not_offered"])
def test_what_is_not(name):
    body, words = TABLES["not_offered"][name]
    assert not any(words in each for each in offered(body))


def test_a_text_with_many_fields_has_some_changes_of_each_kind_only():
    node = ast.parse(repr("%5.2f " * 50), mode="eval").body
    assert len(list(formats(node))) == MOST


def test_what_is_offered_of_an_f_string_is_a_program():
    for words in offered("return f'{i!r:>{k}} {name:x} {{}}'"):
        if words.startswith("`f'"):
            compile(words.split("`")[1], "<change>", "eval")


def test_each_change_is_listed_with_one_line_and_knows_of_all_lines():
    """Of a statement of several lines, and of a condition that held where it is another's turn."""
    text = "def f(i, k):\n    if i < k:\n        return [i,\n            k + 1]\n    return k\n"
    file, lines = Parsed("<m>", text.encode()), {2, 3, 5}
    whole = [*offers(file, lines, {})]
    parts = [each for line in sorted(lines) for each in offers(file, lines, {}, {line})]
    assert sorted(parts) == sorted(whole)
    assert len(set(parts)) == len(parts)
