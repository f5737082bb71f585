"""Programs that look closely at themselves: recorded, and reduced to slices that make sense.

To record includes that the plain run, the recorded run and the full replay do the same.
"""

from __future__ import annotations

import textwrap

import pytest

import stripe

BOTH = pytest.mark.parametrize("control", ["trace", "program"])


@pytest.fixture
def kept(tmp_path):
    """Reduces a program; returns its kept lines, as text."""

    def reduced(source: str, check: str, control: str = "trace", **options: object) -> list[str]:
        program = tmp_path / "program.py"
        program.write_text(textwrap.dedent(source))
        result = stripe.trace(
            "program.py", directory=tmp_path, check=check, control=control, values=False,
            **options,  # type: ignore[arg-type]
        )  # fmt: skip
        found = result.slices[0]
        assert found.certified
        assert found.verified
        text = program.read_text().splitlines()
        return [text[line - 1].strip() for _, line in sorted(found.lines(result.trace))]

    return reduced


# -- objects that die

LAST = """\
class Item:
    def __init__(self, name):
        self.name = name
    def __del__(self):
        print("freed", self.name)
    def __enter__(self):
        return self
    def __exit__(self, *error):
        pass

unused = 1
for item in [Item("a"), Item("b")]:
    unused += 1
del item
print("looped")
with Item("c") as context:
    unused += 1
del context
print("left")
for (first, second), third in [((Item("d"), Item("e")), Item("f"))]:
    unused += 1
del first
print("unpacked")
"""


@BOTH
def test_the_last_object_of_a_loop_dies_when_the_program_lets_go_of_it(kept, control):
    lines = kept(LAST, "stdout", control)
    assert "unused += 1" not in lines
    assert "unused = 1" not in lines
    assert {"del item", "del first"} <= set(lines)


# -- code objects

CODES = """\
def one():
    return 1
def two():
    return 2
def three():
    for each in [3]:
        return each
seen = {one.__code__, two.__code__, three.__code__}
seen.add(two.__code__)
unused = three()
print(len(seen), one.__code__ in seen)
"""


@BOTH
def test_code_objects_can_be_hashed(kept, control):
    assert kept(CODES, "stdout", control) == [
        "def one():",
        "def two():",
        "def three():",
        "seen = {one.__code__, two.__code__, three.__code__}",
        "print(len(seen), one.__code__ in seen)",
    ]


MARSHAL = """\
import io
import marshal
import types

def shout(words):
    for word in words:
        print(word.upper())
    def count():
        return len(words)
    return count()

unused = shout(["no"])
stream = io.BytesIO()
marshal.dump({"version": 1, "code": [shout.__code__]}, stream)
code = marshal.loads(stream.getvalue())["code"][0]
print(len(marshal.dumps(shout.__code__)))
copy = types.FunctionType(code, {})
print("count", types.FunctionType(code, globals())(["a", "b"]))
try:
    marshal.dumps(object())
except ValueError as error:
    print(error, error.__context__)
"""


@BOTH
def test_code_objects_can_be_marshalled(kept, control):
    assert kept(MARSHAL, "stdout:/count 2/", control) == [
        "import io",
        "import marshal",
        "import types",
        "def shout(words):",
        "stream = io.BytesIO()",
        'marshal.dump({"version": 1, "code": [shout.__code__]}, stream)',
        'code = marshal.loads(stream.getvalue())["code"][0]',
        'print("count", types.FunctionType(code, globals())(["a", "b"]))',
    ]
