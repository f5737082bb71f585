"""Which files modules are, and by which way a name comes that was imported with all others."""

from __future__ import annotations

from collections.abc import Mapping

from stripe.trace.model import Trace

ALL = "::*"
"""Behind the name of a module, in writes: all that it has is bound under the same names."""


class Modules:
    """The modules among the files of a trace; proposals, as all that is read from the source."""

    def __init__(self, trace: Trace) -> None:
        self._names = [_name(each.path) for each in trace.files]
        self._by_last: dict[str, list[int]] = {}
        for number, name in enumerate(self._names):
            self._by_last.setdefault(name[-1], []).append(number)
        self._found: dict[tuple[str, int], int | None] = {}
        # By file: of which others it has all names, in the order of its statements.
        self.all: dict[int, list[int]] = {}
        for statement in trace.statements:
            for location in statement.writes:
                if location.endswith(ALL):
                    source = self.file(location.removesuffix(ALL), statement.file)
                    if source is not None:
                        self.all.setdefault(statement.file, []).append(source)

    def file(self, module: str, importer: int) -> int | None:
        """The number of the file of a module that another file imports, if it is one of these.

        Of several whose names end alike it is the one nearest to who imports it; without a name,
        the package that this is in.
        """
        wanted = module, importer
        if wanted not in self._found:
            self._found[wanted] = self._find(tuple(module.split(".")), importer)
        return self._found[wanted]

    def _find(self, module: tuple[str, ...], importer: int) -> int | None:
        here = self._names[importer]
        if module == ("",):
            module = here[:-1]
        if not module:
            return None
        whole = ".".join(module)  # of a native file, which may have dots in its name
        candidates = self._by_last.get(whole) or [
            number
            for number in self._by_last.get(module[-1], ())
            if _agree(module, self._names[number])
        ]
        return max(
            candidates,
            key=lambda each: (each != importer, _shared(self._names[each], here)),
            default=None,
        )

    def by_all(self, key: str, known: Mapping[str, int]) -> tuple[int, ...]:
        """How a variable of a file is known that was imported there with all others of a module.

        Args:
            key: the number of the file, ``::`` and a name.
            known: the last definition of each such key, and under :func:`bound` those of imports.

        Returns:
            The definitions that take part in it; none if it did not come so.
        """
        file, separator, name = key.partition("::")
        if not self.all or not separator or name.startswith("_"):
            return ()
        return self._by_all(int(file), name, known, {int(file)})

    def _by_all(
        self, file: int, name: str, known: Mapping[str, int], seen: set[int]
    ) -> tuple[int, ...]:
        for source in reversed(self.all.get(file, ())):
            imported = known.get(bound(file, source))
            if imported is None or source in seen:
                continue
            seen.add(source)
            own = known.get(f"{source}::{name}")
            if own is not None:
                return imported, own
            further = self._by_all(source, name, known, seen)
            if further:
                return imported, *further
        return ()


def bound(file: int, source: int) -> str:
    """The key under which a file notes that it imported all that another one has."""
    return f"{file}{ALL}{source}"


def there(file: int) -> str:
    """The key under which it is noted that the module of a file is there."""
    return f"{file}::"


def _name(path: str) -> tuple[str, ...]:
    """The parts of a module's name, its folders as far as they are known."""
    *folders, name = path.strip("/").split("/")
    stem = name.rpartition(".")[0] or name
    return (*folders, stem) if stem != "__init__" or not folders else tuple(folders)


def _agree(one: tuple[str, ...], other: tuple[str, ...]) -> bool:
    """Whether they are the same as far back as both are known."""
    return all(a == b for a, b in zip(reversed(one), reversed(other), strict=False))


def _shared(one: tuple[str, ...], other: tuple[str, ...]) -> int:
    """How many folders both are in."""
    for count, (a, b) in enumerate(zip(one, other, strict=False)):
        if a != b:
            return count
    return min(len(one), len(other))
