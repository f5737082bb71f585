"""How values of the program's types lie in memory, told by gdb once for each type.

Typedefs and qualifiers are left out, for a place has one type by whatever name: so a record that
has no name of its own goes by that of its typedef.
"""

from collections import namedtuple

import gdb

Field = namedtuple("Field", "name offset layout bit bits")
"""A member: ``bits`` is 0 if it is not a bitfield."""

POINTER = 8


class Layout:
    """A type.

    - ``kind``: ``int``, ``char`` (plain), ``float``, ``pointer``, ``reference``, ``code``,
      ``array``, ``record``, ``union``, ``void`` or ``opaque``, which is not looked into
    - ``target``: of pointers and arrays; ``count``: of arrays, how many elements
    - ``names``: of an enumeration's values
    """

    __slots__ = ("_target", "count", "fields", "kind", "name", "names", "signed", "size")

    def __init__(self, kind, name, size, target=None, count=0):
        self.kind = kind
        self.name = name
        self.size = size
        self.count = count
        self.fields = ()
        self.names = {}
        self.signed = False
        self._target = target

    @property
    def target(self):
        """What it points to, or is made of; looked up when it is asked for first."""
        if callable(self._target):
            self._target = self._target()
        return self._target

    @property
    def trailing(self):
        """The last member, if it is an array whose length is the block's (``array[1]``)."""
        last = self.fields[-1] if self.kind == "record" and self.fields else None
        if last is None:
            return None
        if last.layout.kind == "array" and last.layout.count <= 1:
            return last
        return last if last.layout.trailing else None


def block_of(element, count, name=None):
    """The layout of as many elements one after the other."""
    base, bracket, rest = element.name.partition("[")
    name = name or f"{base}[{count}]{bracket}{rest}"
    return Layout("array", name, element.size * count, element, count)


INTEGERS = (gdb.TYPE_CODE_INT, gdb.TYPE_CODE_BOOL, gdb.TYPE_CODE_ENUM, gdb.TYPE_CODE_CHAR)
RECORDS = (gdb.TYPE_CODE_STRUCT, gdb.TYPE_CODE_UNION)
REFERENCES = (gdb.TYPE_CODE_REF, gdb.TYPE_CODE_RVALUE_REF)
STREAMS = ("std::basic_", "std::ios", "std::locale")


class Layouts:
    """Those of all types that were met."""

    def __init__(self):
        self._known = {}
        self._by_name = {}

    def of(self, type, within=""):
        """The layout of a type; ``within`` names what has no name of its own."""
        name, real = _named(type)
        code = real.code
        if code in RECORDS:
            name = name or within or str(real)
            fields = real.fields()
            key = (name, real.sizeof, tuple((f.name, getattr(f, "bitpos", None)) for f in fields))
        elif code == gdb.TYPE_CODE_ARRAY:
            return self._array(real, within)
        else:
            key = (_full(real, name), real.sizeof)
        known = self._known.get(key)
        if known is None:
            if code in RECORDS:
                known = self._known[key] = self._record(name, real, fields)
            else:
                known = self._known[key] = self._plain(key[0], real)
            self._by_name.setdefault(known.name, known)
        return known

    def named(self, name):
        """The layout of a name that another state has used; None if it is not known here."""
        if name not in self._by_name:
            if name.endswith("[]"):
                element = self.named(name[:-2])
                return element and block_of(element, 0, name)
            try:
                if name.endswith("*"):
                    target = self.named(name[:-1].strip())
                    if target is None:
                        return None
                    self._by_name[name] = Layout("pointer", name, POINTER, target)
                else:
                    found = self.of(gdb.lookup_type(name))
                    self._by_name.setdefault(name, found)
            except gdb.error:
                return None
        return self._by_name[name]

    def _array(self, real, within):
        try:
            low, high = real.range()
        except gdb.error:
            low, high = 0, -1
        element = self.of(real.target(), within)
        known = block_of(element, max(0, high - low + 1))
        return self._by_name.setdefault(known.name, known)

    def _plain(self, name, real):
        code = real.code
        if code in INTEGERS:
            plain = code != gdb.TYPE_CODE_ENUM and real.sizeof == 1 and name == "char"
            found = Layout("char" if plain else "int", name, real.sizeof)
            found.signed = _signed(real)
            if code == gdb.TYPE_CODE_ENUM:
                found.names = {field.enumval: field.name for field in reversed(real.fields())}
            elif code == gdb.TYPE_CODE_BOOL:
                found.names = {0: "false", 1: "true"}
            return found
        if code == gdb.TYPE_CODE_FLT:
            return Layout("float", name, real.sizeof)
        if code == gdb.TYPE_CODE_PTR or code in REFERENCES:
            kind = "pointer" if code == gdb.TYPE_CODE_PTR else "reference"
            return Layout(kind, name, POINTER, lambda: self.of(real.target(), name))
        if code in (gdb.TYPE_CODE_FUNC, gdb.TYPE_CODE_METHOD):
            return Layout("code", name, 1)
        if code == gdb.TYPE_CODE_VOID:
            return Layout("void", name, 1)
        return Layout("opaque", name, real.sizeof)

    def _record(self, name, real, fields):
        if (not fields and not real.sizeof) or _reserved(name):
            return Layout("opaque", name, real.sizeof)
        found = Layout("union" if real.code == gdb.TYPE_CODE_UNION else "record", name, real.sizeof)
        self._by_name.setdefault(name, found)
        found.fields = Members(self, found, fields)
        return found


class Members:
    """The members of a record, looked up when they are asked for first."""

    def __init__(self, layouts, owner, fields):
        self._layouts = layouts
        self._owner = owner
        self._fields = fields
        self._found = None

    def _all(self):
        if self._found is None:
            self._found = []
            for field in self._fields:
                self._add(field)
        return self._found

    def _add(self, field):
        place = getattr(field, "bitpos", None)
        if not isinstance(place, int) or field.type is None:
            return  # static, or in a base class whose place is known at run time only
        union = self._owner.kind == "union"
        name = field.name or f"<{'union' if _named(field.type)[1].code in RECORDS else 'bits'}>"
        layout = self._layouts.of(field.type, f"{self._owner.name}.{name}")
        if not field.name:
            if layout.kind == "record" and not union:
                self._found.extend(
                    each._replace(offset=each.offset + place // 8) for each in layout.fields
                )
                return
            if layout.kind not in ("record", "union"):
                return  # bits without a name
        bits = field.bitsize
        self._found.append(Field(name, place // 8, layout, place % 8 if bits else 0, bits))

    def __iter__(self):
        return iter(self._all())

    def __len__(self):
        return len(self._all())

    def __getitem__(self, index):
        return self._all()[index]


def _named(type):
    """The name for a type, which may be that of its typedef, and the type itself."""
    name = ""
    type = type.unqualified()
    while type.code == gdb.TYPE_CODE_TYPEDEF:
        name = type.name or name
        type = type.target().unqualified()
    if type.code in RECORDS:
        tag = type.tag or type.name
        if tag:
            text = str(type)
            name = tag if "{" in text else text
    elif type.code == gdb.TYPE_CODE_ENUM:
        name = str(type) if type.tag or type.name else name
    else:
        name = type.name or name
    return name, type


def _full(real, name):
    """The name of a type that is no record."""
    if real.code == gdb.TYPE_CODE_PTR or real.code in REFERENCES:
        mark = "*" if real.code == gdb.TYPE_CODE_PTR else "&"
        target, inner = _named(real.target())
        if inner.code in (gdb.TYPE_CODE_FUNC, gdb.TYPE_CODE_METHOD, gdb.TYPE_CODE_ARRAY):
            return str(real)
        target = _full(inner, target) or str(inner)
        return f"{target}{mark}" if target.endswith("*") else f"{target} {mark}"
    return name or str(real)


def _signed(real):
    if real.code == gdb.TYPE_CODE_ENUM:
        return any(field.enumval < 0 for field in real.fields())
    try:
        return bool(real.is_signed)
    except AttributeError:  # before gdb 12
        return "unsigned" not in str(real) and real.code != gdb.TYPE_CODE_BOOL
    except ValueError:
        return False


def _reserved(name):
    """Whether a record is the library's own business: its name is reserved to it, as FILE's is."""
    tag = name.split(" ")[-1]
    if "::" in name or "<" in name:
        return name.startswith(STREAMS) and not name.startswith("std::basic_string<")
    return tag[:1] == "_" and (tag[1:2] == "_" or tag[1:2].isupper())
