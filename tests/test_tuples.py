"""Named tuples made quickly are what :mod:`typing` makes: each claim here holds for both."""

# mypy: disable-error-code="attr-defined,call-arg,misc,name-defined"

from __future__ import annotations

import copy
import pickle
import typing

import pytest

from stripe import tuples


class Usual(typing.NamedTuple):
    """A place."""

    x: int
    y: int = 2

    def further(self):
        return self._replace(x=self.x + 1)


class Quick(tuples.NamedTuple):
    """A place."""

    x: int
    y: int = 2

    def further(self):
        return self._replace(x=self.x + 1)


class Pair[T](tuples.NamedTuple):
    first: T
    second: list[T]

    @property
    def both(self):
        return [self.first, *self.second]


@pytest.mark.parametrize("this", [Usual, Quick])
def test_instances_are_tuples_with_names(this):
    one = this(1)
    assert one == (1, 2) == this(x=1, y=2)
    assert (one.x, one.y, one[1], hash(one)) == (1, 2, 2, hash((1, 2)))
    assert repr(one) == f"{this.__name__}(x=1, y=2)"
    assert one.further() == (2, 2)
    assert isinstance(one.further(), this)
    assert this._fields == this.__match_args__ == ("x", "y")
    assert this.__doc__ == "A place."
    assert this.__annotations__.keys() == {"x", "y"}
    assert not hasattr(one, "__dict__")


@pytest.mark.parametrize("this", [Usual, Quick])
def test_they_are_copied_and_sent_elsewhere(this):
    one = this(1, 3)
    for protocol in range(2, pickle.HIGHEST_PROTOCOL + 1):
        again = pickle.loads(pickle.dumps(one, protocol))
        assert (again, type(again)) == (one, this)
    assert (copy.deepcopy(one), type(copy.copy(one))) == (one, this)


@pytest.mark.parametrize("this", [Usual, Quick])
def test_what_is_missing_or_too_much_is_refused(this):
    for arguments, names in (((), {}), ((1, 2, 3), {}), ((1,), {"z": 1}), ((1,), {"x": 1})):
        with pytest.raises(TypeError):
            this(*arguments, **names)
    with pytest.raises(AttributeError):
        this(1).x = 2
    with pytest.raises((TypeError, ValueError)):  # 3.13: a TypeError
        this(1)._replace(z=1)


@pytest.mark.parametrize("maker", [typing, tuples])
def test_methods_know_their_class(maker):
    class Named(maker.NamedTuple):
        x: int

        @classmethod
        def of(cls, text):
            return cls(int(text))

    assert Named.of("3") == (3,)
    assert type(Named.of("3")) is Named


def test_they_may_be_generic():
    assert Pair[int](1, [2]).both == [1, 2]
    assert pickle.loads(pickle.dumps(Pair("a", []))) == ("a", [])
