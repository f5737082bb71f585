"""What changes need of each other: by names, and by what failed builds say."""

from __future__ import annotations

import pytest

from stripe.changes.messages import complaints_in
from stripe.changes.occurrences import calls_of, occurrences_of
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
    needs = needs_of(universe, occurrences_of(universe))
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
    needs = needs_of(universe, occurrences_of(universe))
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
        ("a.c:3:12: error: static declaration of ‘foo’ follows non-static declaration", [b"foo"]),
        ("ld: b.o: in function `foo': b.c:1: multiple definition of `foo'", [b"foo"]),
        ("a.c:3:9: error: incompatible type for argument 2 of ‘foo’", [b"foo"]),
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
    assert [name for name, _ in complaints_in(said.encode())] == names


def test_in_which_function_a_compiler_misses_a_name() -> None:
    said = """\
a.c: In function ‘first’:
a.c:2:5: error: ‘i’ undeclared (first use in this function)
a.c: In function ‘second’:
a.c:9:5: error: ‘i’ undeclared (first use in this function)
a.c: At top level:
a.c:12:5: error: conflicting types for ‘third’
b.cc: In member function ‘int Room::size(int) const’:
b.cc:4:5: error: ‘n’ was not declared in this scope
""".encode()
    assert set(complaints_in(said)) == {
        (b"i", "first"),
        (b"i", "second"),
        (b"third", ""),
        (b"n", "size"),
    }


@pytest.mark.parametrize(
    ("text", "calls"),
    [
        (b"int f(void);", [(b"f", 0)]),
        (b"x = f() + g(1, h(2, 3), (a, b));", [(b"f", 0), (b"g", 3), (b"h", 2)]),
        (b"static int f(int a,\n             int b)\n{", [(b"f", 2)]),
        (b"f(1,", []),
    ],
)
def test_how_many_arguments_are_passed(text: bytes, calls: list[tuple[bytes, int]]) -> None:
    assert list(calls_of(text)) == calls


def needs_by_text(before: dict[str, str], after: dict[str, str]) -> dict[str, set[str]]:
    """What edits need, with themselves, each told by what it adds, else by what it removes."""
    universe = Universe(history(before, after))

    def text(number: int) -> str:
        added, removed = universe.texts(number)
        return b"".join(added or removed).decode().strip()

    found = needs_of(universe, occurrences_of(universe))
    return {text(number): set(map(text, closure([number], found))) for number in found}


APART = "\nint other;\nint another;\n"
"""What makes two hunks of changes around it."""


def test_a_definition_with_other_arguments_comes_with_prototype_and_calls() -> None:
    def version(more: str, argument: str, same: str) -> dict[str, str]:
        return {
            "a.h": f"int f(int a{more});\n",
            "a.c": f"int f(int a{more})\n{{\n    return a;\n}}\n",
            "b.c": f"int g(void)\n{{\n    int b = f(1{argument});\n{APART}"
            f"    return f({same}0);\n}}\n",
        }

    needs = needs_by_text(version("", "", "1 + "), version(", int b", ", 2", "2, "))
    together = {
        "int f(int a, int b);",
        "int f(int a, int b)",
        "int b = f(1, 2);",
        "return f(2, 0);",
    }
    assert needs == dict.fromkeys(together, together)
    same = needs_by_text(version("", "", "1 + "), version("", "", "2 + "))
    assert same == {}


def test_a_signature_over_several_lines_is_one() -> None:
    def version(kind: str) -> dict[str, str]:
        signature = f"int f(int a,\n      {kind} b)"
        return {"a.h": f"{signature};\n", "a.c": f"{signature}\n{{\n    return a;\n}}\n"}

    needs = needs_by_text(version("int"), version("long"))
    assert needs == {each: {"long b);", "long b)"} for each in ("long b);", "long b)")}


def test_static_functions_of_one_name_in_two_files_are_two() -> None:
    def version(more: str, argument: str) -> str:
        return (
            f"static int f(int a{more})\n{{\n    return a;\n}}\n{APART}"
            f"int g(void)\n{{\n    return f(1{argument});\n}}\n"
        )

    old, new = version("", ""), version(", int b", ", 2")
    universe = Universe(history({"a.c": old, "b.c": old}, {"a.c": new, "b.c": new}))
    needs = needs_of(universe, occurrences_of(universe))
    assert len(needs) == 4
    for number, others in needs.items():
        assert {universe.path_of(each) for each in others} == {universe.path_of(number)}


def test_a_local_variable_that_is_renamed_is_so_everywhere_in_its_function() -> None:
    def version(name: str) -> dict[str, str]:
        body = f"    int {name} = 0;\n{APART}    {name}++;\n{APART}    return {name};\n"
        return {
            "a.c": f"int f(void)\n{{\n{body}}}\n\n"
            "int g(void)\n{\n    int i = 1;\n    return i;\n}\n"
        }

    needs = needs_by_text(version("i"), version("j"))
    together = {"int j = 0;", "j++;", "return j;"}
    assert needs == dict.fromkeys(together, together)


def test_who_uses_what_a_header_has_needs_its_include() -> None:
    files = {"a.h": "int f(void);\n", "b.c": f"int b;\n{APART}int g(void)\n{{\n    return 0;\n}}\n"}
    text = files["b.c"].replace("return 0", "return f()").replace("int b;", '#include "a.h"')
    needs = needs_by_text(files, files | {"b.c": text})
    assert needs["return f();"] == {"return f();", '#include "a.h"'}


def test_a_field_comes_with_those_who_use_it() -> None:
    def version(name: str) -> dict[str, str]:
        use = f"    s.{name} = 1;\n" + "    a = 1;\n    b = 1;\n"
        return {"a.c": f"struct s {{\n    int {name};\n}};\n{APART}int f(void)\n{{\n{use * 6}}}\n"}

    needs = needs_by_text(version("old"), version("new"))
    assert needs == {each: {"int new;", "s.new = 1;"} for each in needs}
