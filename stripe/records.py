"""Dataclasses as :mod:`dataclasses` makes them, in a tenth of the time.

That module imports :mod:`inspect`, writes half a dozen functions for each class and has them
compiled: two fifths of all that the command imported.  Here classes share their methods, and the
one that has to be quick, ``__init__``, is compiled when the first instance is made.

The options are those we use: ``frozen``, ``slots``, ``kw_only``, ``eq``; of fields ``default``,
``default_factory``, ``init``, ``repr`` and ``compare``.  :func:`dataclasses.fields`, ``replace``,
``asdict`` and ``is_dataclass`` take these classes for what they seem to be.
"""

from __future__ import annotations

from collections.abc import Callable
from operator import attrgetter
from reprlib import recursive_repr
from typing import TYPE_CHECKING, Any


class _Missing:
    """No default."""


class _Field:
    """What is said of a field: by its value in the class's body, or by :func:`field`."""

    __slots__ = ("compare", "default", "factory", "init", "kw_only", "name", "repr", "type")

    def __init__(self, default: Any, factory: Any, init: bool, repr: bool, compare: bool) -> None:
        self.default = default
        self.factory = factory
        self.init = init
        self.repr = repr
        self.compare = compare
        self.kw_only = False
        self.name = self.type = ""


def _field(
    *,
    default: Any = _Missing,
    default_factory: Any = _Missing,
    init: bool = True,
    repr: bool = True,
    compare: bool = True,
) -> Any:
    """See :func:`dataclasses.field`."""
    return _Field(default, default_factory, init, repr, compare)


class _Record:
    """What the shared methods have to know of a class."""

    def __init__(self, fields: dict[str, _Field], **options: bool) -> None:
        self.fields = fields
        self.options = options
        self.shown = [each.name for each in fields.values() if each.repr]
        self.compared = [each.name for each in fields.values() if each.compare]


def _dataclass(
    cls: type[Any] | None = None,
    /,
    *,
    frozen: bool = False,
    slots: bool = False,
    kw_only: bool = False,
    eq: bool = True,
) -> Any:
    """See :func:`dataclasses.dataclass`; annotations have to be postponed."""
    if cls is None:
        return lambda cls: _dataclass(cls, frozen=frozen, slots=slots, kw_only=kw_only, eq=eq)
    fields: dict[str, _Field] = {}
    for base in reversed(cls.__mro__[1:]):
        if (known := vars(base).get("__record__")) is not None:
            fields |= known.fields
    for name, annotation in cls.__annotations__.items():
        if annotation.startswith("ClassVar"):
            continue
        said = vars(cls).get(name, _Missing)
        fields[name] = this = said if isinstance(said, _Field) else _field(default=said)
        this.name, this.type, this.kw_only = name, annotation, kw_only
        if type(this.default).__hash__ is None:
            raise ValueError(f"{cls.__qualname__}.{name} would be shared: use default_factory")
        if isinstance(said, _Field):
            delattr(cls, name)
            if this.default is not _Missing:
                setattr(cls, name, this.default)
    if slots:
        cls = _slotted(cls, list(fields))
    record = _Record(fields, frozen=frozen, slots=slots, kw_only=kw_only, eq=eq)
    own = vars(cls)
    explicit = own.get("__hash__") is not None
    methods: dict[str, Any] = {
        "__record__": record,
        "__dataclass_fields__": _FIELDS,
        "__dataclass_params__": _PARAMETERS,
        "__match_args__": tuple(
            name for name, this in fields.items() if this.init and not this.kw_only
        ),
        "__init__": _Init(cls),
        "__repr__": _shown,
        "__replace__": _replace,
    }
    if eq:
        methods |= _comparing(record.compared, hashed=frozen)
        if explicit:
            del methods["__hash__"]
        elif "__hash__" in own:
            del cls.__hash__  # no more than what defining __eq__ leaves there
    if frozen:
        methods |= {"__setattr__": _refuse_setting, "__delattr__": _refuse_deleting}
    if frozen and slots:
        methods |= {"__getstate__": _state, "__setstate__": _restore}
    for name, method in methods.items():
        if name not in own:
            setattr(cls, name, method)
    return cls


def _slotted(cls: type[Any], names: list[str]) -> type[Any]:
    """The class anew: slots have to be there from the beginning."""
    inherited = {name for base in cls.__mro__[1:] for name in (vars(base).get("__slots__") or ())}
    namespace = dict(vars(cls))
    for name in (*names, "__dict__", "__weakref__"):
        namespace.pop(name, None)
    namespace["__slots__"] = tuple(name for name in names if name not in inherited)
    kind: Callable[..., type[Any]] = type(cls)
    made = kind(cls.__name__, cls.__bases__, namespace)
    made.__qualname__ = cls.__qualname__
    return made


class _Init:
    """``__init__`` of a class, until somebody asks for it."""

    def __init__(self, cls: type[Any]) -> None:
        self._cls = cls

    def __get__(self, instance: object, owner: type[Any] | None = None) -> Any:
        made = _compiled(self._cls)
        setattr(self._cls, "__init__", made)  # noqa: B010  # to mypy, an assignment is unsound
        return made if instance is None else made.__get__(instance)


def _compiled(cls: type[Any]) -> Any:
    """``__init__`` of a class."""
    record = cls.__record__
    positional: list[str] = ["self"]
    named: list[str] = []
    lines: list[str] = []
    scope: dict[str, Any] = {"_set": object.__setattr__, "_MISSING": _Missing}
    for name, this in record.fields.items():
        value, parameter = name, name
        if this.factory is not _Missing:
            scope[f"_make_{name}"] = this.factory
            parameter = f"{name}=_MISSING"
            value = f"_make_{name}()"
            if this.init:
                value += f" if {name} is _MISSING else {name}"
        elif this.default is not _Missing:
            scope[f"_default_{name}"] = this.default
            parameter = f"{name}=_default_{name}"
            if not this.init:
                value = f"_default_{name}"
        elif not this.init:
            continue  # left to __post_init__
        if this.init:
            (named if this.kw_only else positional).append(parameter)
        frozen = record.options["frozen"]
        lines.append(f"_set(self, {name!r}, {value})" if frozen else f"self.{name} = {value}")
    if hasattr(cls, "__post_init__"):
        lines.append("self.__post_init__()")
    parameters = ", ".join([*positional, *(["*", *named] if named else [])])
    text = f"def __init__({parameters}):\n " + "\n ".join(lines or ["pass"])
    exec(text, scope)
    made = scope["__init__"]
    made.__qualname__ = f"{cls.__qualname__}.__init__"
    made.__module__ = cls.__module__
    made.__annotations__ = {
        **{name: this.type for name, this in record.fields.items() if this.init},
        "return": None,
    }
    return made


def _comparing(names: list[str], *, hashed: bool) -> dict[str, Any]:
    """What compares instances, by the values of some fields."""
    values: Callable[[Any], Any] = attrgetter(*names) if names else lambda this: ()

    def equal(self: Any, other: Any) -> Any:
        if other.__class__ is not self.__class__:
            return NotImplemented
        return values(self) == values(other)

    return {"__eq__": equal, "__hash__": (lambda self: hash(values(self))) if hashed else None}


@recursive_repr()
def _shown(self: Any) -> str:
    told = ", ".join(f"{name}={getattr(self, name)!r}" for name in self.__record__.shown)
    return f"{type(self).__qualname__}({told})"


def _replace(self: Any, /, **changes: Any) -> Any:
    """See :func:`dataclasses.replace`."""
    for name, this in self.__record__.fields.items():
        if not this.init:
            if name in changes:
                raise TypeError(f"{name!r} is no parameter of {type(self).__qualname__}")
        elif name not in changes:
            changes[name] = getattr(self, name)
    return type(self)(**changes)


def _refuse_setting(self: Any, name: str, value: Any) -> None:
    _refuse(self, name, "assign to")
    object.__setattr__(self, name, value)


def _refuse_deleting(self: Any, name: str) -> None:
    _refuse(self, name, "delete")
    object.__delattr__(self, name)


def _refuse(this: Any, name: str, what: str) -> None:
    """Raise, but for what a subclass adds that is no dataclass."""
    if "__record__" in vars(type(this)) or name in this.__record__.fields:
        from dataclasses import FrozenInstanceError

        raise FrozenInstanceError(f"cannot {what} field {name!r}")


def _state(self: Any) -> list[Any]:
    return [getattr(self, name) for name in self.__record__.fields]


def _restore(self: Any, state: list[Any]) -> None:
    for name, value in zip(self.__record__.fields, state, strict=True):
        object.__setattr__(self, name, value)


class _ForDataclasses:
    """What :mod:`dataclasses` and others look for in a class, made when they do."""

    def __init__(self, make: Callable[[_Record], Any]) -> None:
        self._make = make

    def __get__(self, instance: object, owner: Any) -> Any:
        return self._make(owner.__record__)


def _fields(record: _Record) -> dict[str, Any]:
    import dataclasses

    found: dict[str, Any] = {}
    missing: Any = dataclasses.MISSING
    for name, this in record.fields.items():
        told: Any = dataclasses.field(
            default=missing if this.default is _Missing else this.default,
            default_factory=missing if this.factory is _Missing else this.factory,
            init=this.init,
            repr=this.repr,
            compare=this.compare,
            kw_only=this.kw_only,
        )
        told.name, told.type = name, this.type
        told._field_type = dataclasses._FIELD  # type: ignore[attr-defined]
        found[name] = told
    return found


def _parameters(record: _Record) -> Any:
    from types import SimpleNamespace

    fixed = {"init": True, "repr": True, "order": False, "unsafe_hash": False}
    return SimpleNamespace(**fixed, match_args=True, weakref_slot=False, **record.options)


_FIELDS, _PARAMETERS = _ForDataclasses(_fields), _ForDataclasses(_parameters)

if TYPE_CHECKING:
    from dataclasses import dataclass as dataclass
    from dataclasses import field as field
    from dataclasses import replace as replace
else:
    dataclass, field, replace = _dataclass, _field, _replace
