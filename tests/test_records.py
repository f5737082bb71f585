"""Dataclasses made quickly are what :mod:`dataclasses` makes: each claim here holds for both."""

# mypy: disable-error-code="attr-defined,call-arg,misc"

from __future__ import annotations

import copy
import dataclasses
import inspect
import pickle
import pprint
import subprocess
import sys

import pytest

from stripe import records

MAKERS = pytest.mark.parametrize("maker", [dataclasses, records], ids=lambda maker: maker.__name__)


def point(maker, **options):
    @maker.dataclass(**options)
    class Point:
        x: int
        y: int = 2
        tags: list[str] = maker.field(default_factory=list)

    return Point


@MAKERS
@pytest.mark.parametrize("slots", [False, True])
@pytest.mark.parametrize("frozen", [False, True])
def test_instances_are_made_shown_and_compared(maker, slots, frozen):
    this = point(maker, slots=slots, frozen=frozen)
    one, other = this(1, tags=["a"]), this(x=1, y=2, tags=["a"])
    assert repr(one) == "point.<locals>.Point(x=1, y=2, tags=['a'])"
    assert one == other
    assert one != this(1)
    assert one != (1, 2, ["a"])
    assert this(1).tags is not this(1).tags
    assert hasattr(one, "__dict__") is not slots
    with pytest.raises(TypeError):
        this()
    with pytest.raises(TypeError):
        this(1, z=3)


@MAKERS
def test_the_signature_is_told_before_and_after_the_first_instance(maker):
    this = point(maker, frozen=True)
    told = list(inspect.signature(this).parameters)
    this(1)
    assert told == list(inspect.signature(this).parameters) == ["x", "y", "tags"]
    assert this.__init__.__annotations__["x"] == "int"


@MAKERS
@pytest.mark.parametrize("slots", [False, True])
def test_frozen_ones_stay_as_they_are(maker, slots):
    one = point(maker, slots=slots, frozen=True)(1)
    with pytest.raises(dataclasses.FrozenInstanceError, match="cannot assign to field 'x'"):
        one.x = 2
    with pytest.raises(dataclasses.FrozenInstanceError, match="cannot delete field 'x'"):
        del one.x
    assert one.x == 1


@MAKERS
def test_a_plain_subclass_of_a_frozen_one_has_attributes_of_its_own(maker):
    class More(point(maker, frozen=True)):
        pass

    more = More(1)
    more.seen = True
    assert more.seen
    del more.seen
    with pytest.raises(dataclasses.FrozenInstanceError):
        more.x = 2


@MAKERS
def test_what_is_hashed(maker):
    @maker.dataclass(frozen=True, slots=True)
    class Known:
        name: str
        seen: dict[str, int] = maker.field(default_factory=dict, compare=False)

    assert {Known("a"): 1}[Known("a", {"b": 1})] == 1
    assert Known("a") == Known("a", {"b": 1})
    assert point(maker).__hash__ is None
    lonely = point(maker, eq=False)
    assert lonely(1) != lonely(1)
    assert hash(lonely(1)) is not None

    @maker.dataclass(frozen=True)
    class Own:
        name: str

        def __hash__(self):
            return 7

        def __eq__(self, other):
            return True

    assert hash(Own("a")) == 7
    assert Own("a") == 1

    @maker.dataclass(frozen=True)
    class OnlyEqual:
        name: str

        def __eq__(self, other):
            return True

    assert hash(OnlyEqual("a")) == hash(OnlyEqual("a"))


@MAKERS
def test_fields_without_a_parameter(maker):
    @maker.dataclass(slots=True)
    class Column:
        rows: int
        found: list[int] | None = maker.field(default=None, init=False, repr=False)
        double: int = maker.field(init=False)

        def __post_init__(self):
            self.double = 2 * self.rows

    column = Column(3)
    assert (column.found, repr(column).endswith("Column(rows=3, double=6)")) == (None, True)
    assert maker.replace(column, rows=4).double == 8
    with pytest.raises((TypeError, ValueError)):
        maker.replace(column, double=9)


@MAKERS
def test_keywords_and_bases(maker):
    @maker.dataclass(frozen=True, slots=True, kw_only=True)
    class Answer:
        tests: int
        notes: tuple[str, ...] = ()

    @maker.dataclass(frozen=True, slots=True, kw_only=True)
    class Changed(Answer):
        patch: bytes
        notes: tuple[str, ...] = ("new",)

    changed = Changed(patch=b"", tests=1)
    assert repr(changed).endswith("Changed(tests=1, notes=('new',), patch=b'')")
    assert Changed.__slots__ == ("patch",)
    assert changed.__match_args__ == ()
    with pytest.raises(TypeError):
        Changed(1, patch=b"")


@MAKERS
def test_patterns_and_generic_classes(maker):
    @maker.dataclass(frozen=True, slots=True)
    class Pair[T]:
        one: T
        other: T

    match Pair(1, 2):
        case Pair(one, other=2):
            assert one == 1
        case _:
            pytest.fail("no match")


@MAKERS
def test_a_default_that_would_be_shared_is_refused(maker):
    with pytest.raises(ValueError, match="default_factory"):

        @maker.dataclass
        class Shared:
            seen: list[int] = []  # noqa: RUF012


@records.dataclass(frozen=True, slots=True)
class Kept:
    number: int
    within: Kept | None = None


def test_they_are_copied_and_sent_elsewhere():
    kept = Kept(1, Kept(2))
    assert pickle.loads(pickle.dumps(kept)) == kept
    assert copy.deepcopy(kept) == kept
    assert copy.copy(kept) == kept


def test_what_contains_itself_is_shown():
    this = point(records)(1)
    this.tags.append(this)
    assert repr(this) == "point.<locals>.Point(x=1, y=2, tags=[...])"


def test_others_take_them_for_dataclasses():
    kept = Kept(1)
    assert dataclasses.is_dataclass(kept)
    assert [(each.name, each.default) for each in dataclasses.fields(Kept)] == [
        ("number", dataclasses.MISSING),
        ("within", None),
    ]
    assert dataclasses.replace(kept, number=2) == Kept(2)
    assert dataclasses.asdict(Kept(1, kept)) == {
        "number": 1,
        "within": {"number": 1, "within": None},
    }
    assert pprint.pformat(kept) == "Kept(number=1, within=None)"

    @dataclasses.dataclass(frozen=True)
    class More(Kept):
        more: int = 3

    assert More(1).more == 3


def test_what_makes_them_imports_no_more_than_it_needs():
    asked = "import sys; import stripe.records; print(*sys.modules)"
    done = subprocess.run(
        [sys.executable, "-I", "-c", asked], capture_output=True, text=True, check=True
    )
    assert {"inspect", "dataclasses", "ast"}.isdisjoint(done.stdout.split())
