"""Elements of HTML and XML, with their attributes, as units that lie within each other."""

from __future__ import annotations

import xml.etree.ElementTree as ElementTree

import pytest

from stripe.dd import hdd
from stripe.units.markup import markup

PAGE = (
    b'<?xml version="1.0"?>\n<!DOCTYPE o [<!ENTITY b "c>">]>\n<!-- exported -->\n'
    b'<o:orders xmlns:o="urn:orders" version=\'2\' empty=""><o:order state = "open">'
    b'<o:line article="a1" amount="0"/><o:line amount="3"></o:line>text</o:order></o:orders>\n'
)


def without(data: bytes, gone: bytes) -> list[bytes]:
    """What single units leave of a text, if ``gone`` is all that they take away."""
    units = markup(data)
    found = []
    for unit in range(len(units)):
        out = {unit}
        for each in range(unit + 1, len(units)):
            if units.parent(each) in out:
                out.add(each)
        left = units.render(tuple(each for each in range(len(units)) if each not in out))
        found.append(left)
    return [left for left in found if left == data.replace(gone, b"", 1)]


def test_all_of_them_are_the_text() -> None:
    units = markup(PAGE)
    assert units.render(tuple(range(len(units)))) == PAGE
    assert sum(map(units.weight, range(len(units)))) == len(PAGE)


@pytest.mark.parametrize(
    "part",
    [
        b'<?xml version="1.0"?>',
        b'<!DOCTYPE o [<!ENTITY b "c>">]>',
        b"<!-- exported -->",
        b' xmlns:o="urn:orders"',
        b"urn:orders",
        b" version='2'",
        b' state = "open"',
        b'<o:line article="a1" amount="0"/>',
        b"text",
    ],
)
def test_what_is_a_unit(part: bytes) -> None:
    assert without(PAGE, part)


@pytest.mark.parametrize(
    ("data", "left"),
    [
        (b"<a><b><c/></b></a>", b"<a><c/></a>"),  # an element is what is in it
        (b"<a>b</a>", b"<a/>b"),
        (b"<a></a>", b"<a/>"),
        (b"<p>a<br>b", b"<p>ab"),
        (b"<p class=x hidden>a</p>", b"<p hidden>a</p>"),
        (b"<script a='>'>if (a<b)</script>", b"<script a='>'></script>"),
        (b"<a>b</c>", b"<a>b"),
    ],
)
def test_what_a_unit_leaves(data: bytes, left: bytes) -> None:
    units = markup(data)
    found = set()
    for unit in range(len(units)):
        out = {unit}
        for each in range(unit + 1, len(units)):
            if units.parent(each) in out:
                out.add(each)
        found.add(units.render(tuple(e for e in range(len(units)) if e not in out)))
    assert left in {each.replace(b"a b", b"ab") for each in found}


def test_what_is_needed_of_an_order() -> None:
    def fails(data: bytes) -> bool:
        try:
            root = ElementTree.fromstring(data)
        except ElementTree.ParseError:
            return False
        return any(e.get("amount") == "0" for e in root.iter() if e.tag.endswith("line"))

    units = markup(PAGE)
    result = hdd(
        range(len(units)), lambda c: fails(units.render(c)), units.parent, weight=units.weight
    )
    left = units.render(result.configuration).strip()
    # Its prefix is declared farther out: an attribute of another element.
    assert left == b'<o:orders xmlns:o="urn:orders"><o:line amount="0"/></o:orders>'
