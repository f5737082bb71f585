"""Changes of comparisons, indices, attributes, sequences and formats, by what variables held."""

from __future__ import annotations

import ast

import pytest

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
