"""What changes need of each other: by names, and by what failed builds say."""

from __future__ import annotations

import pytest

from stripe.changes.messages import names_in
from stripe.changes.requirements import closure, needs_of
from stripe.changes.universe import Universe
from tests.changes.histories import history


def test_who_uses_a_new_name_needs_who_defines_it() -> None:
    universe = Universe(
        history(
            {"lib.py": "a = 1\n\n\n\nb = 2\n", "main.py": "print(1)\n\n\n\nprint(2)\n"},
            {
                "lib.py": "a = 1\n\n\n\nb = 3\n\ndef helper():\n    pass\n",
                "main.py": "print(helper())\n\n\n\nprint(3)\n",
            },
        )
    )
    by_text = {b"".join(universe.texts(edit)[0]): edit for edit in universe.deltas}
    needs = needs_of(universe)
    assert needs[by_text[b"print(helper())\n"]] == {by_text[b"def helper():\n"]}
    assert by_text[b"print(3)\n"] not in needs


def test_who_removes_a_definition_needs_who_removes_its_uses() -> None:
    universe = Universe(
        history(
            {"lib.c": "int f(void) {\n}\n", "main.c": "int main() {\n    f();\n}\n"},
            {"lib.c": "\n", "main.c": "int main() {\n}\n"},
        )
    )
    by_text = {b"".join(universe.texts(edit)[1]): edit for edit in universe.deltas}
    needs = needs_of(universe)
    assert by_text[b"    f();\n"] in needs[by_text[b"int f(void) {\n"]]


def test_closing_is_transitive_and_ends_in_circles() -> None:
    assert closure([1], {1: [2], 2: [3]}, {3: [1, 4]}) == {1, 2, 3, 4}
    assert closure([5], {1: [2]}) == {5}


@pytest.mark.parametrize(
    ("said", "names"),
    [
        ("NameError: name 'foo' is not defined", [b"foo"]),
        ("ImportError: cannot import name 'foo' from 'pkg.bar'", [b"foo", b"bar"]),
        ("AttributeError: module 'x' has no attribute 'foo'", [b"foo"]),
        ("ModuleNotFoundError: No module named 'pkg.foo'", [b"foo"]),
        ("TypeError: foo() missing 1 required positional argument: 'a'", [b"foo"]),
        ("a.c:3:5: error: ‘foo’ undeclared (first use in this function)", [b"foo"]),
        ("a.c:3:5: error: use of undeclared identifier 'foo'", [b"foo"]),
        ("a.c:3: error: too few arguments to function ‘foo’", [b"foo"]),
        ("a.c:3:9: error: ‘struct s’ has no member named ‘foo’", [b"foo"]),
        ("a.c:1:10: fatal error: dir/foo.h: No such file or directory", [b"foo"]),
        ("/usr/bin/ld: a.o: undefined reference to `foo'", [b"foo"]),
        ("a.ts(3,1): error TS2304: Cannot find name 'foo'.", [b"foo"]),
        ("error TS2339: Property 'foo' does not exist on type 'T'.", [b"foo"]),
        ("A.java:3: error: cannot find symbol\n  symbol:   method foo(int)\n", [b"foo"]),
        ("./a.go:3:2: undefined: foo", [b"foo"]),
        ("./a.go:3:4: x.foo undefined (type T has no field or method foo)", [b"foo"]),
        ("error[E0425]: cannot find function `foo` in this scope", [b"foo"]),
        ("error[E0432]: unresolved import `crate::foo`", [b"foo"]),
        ("everything is fine", []),
    ],
)
def test_names_that_messages_complain_of(said: str, names: list[bytes]) -> None:
    assert names_in(said.encode()) == names
