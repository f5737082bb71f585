"""What faults are seeded in: small programs of ours, and packages with their own tests."""

from __future__ import annotations

import shutil
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

from tests.real.sdists import unpacked

ROOT = Path(__file__).parents[2]
PROGRAMS = Path(__file__).parent / "programs"
OLDER = ROOT / "tests/corpus"
ADDED = {
    "third": {
        *("ledger", "recurring", "templates", "tokens", "versions", "cells"),
        *("isodate", "parse", "pathspec", "schema", "simpleeval"),
        *("uritemplate", "voluptuous", "xmltodict"),
    },
    "fourth": {
        *("bits", "league", "measures", "polynomials", "taxes", "timesheets", "weblogs"),
        *("anytree", "humanize", "rfc3986", "tabulate"),
        *("texttable", "tinydb", "unidiff", "webcolors"),
    },
}
"""What was added for a collection, by its name; all else was there from the first one on."""


@dataclass(frozen=True)
class Subject:
    """Something with tests.

    ``tests`` has, for each file that faults are seeded in, the files of tests that touch it.
    ``folders`` of a package are what is needed of its source distribution; they lie side by side
    when laid out.
    """

    name: str
    tests: Mapping[str, tuple[str, ...]]
    version: str = ""
    sha256: str = ""
    folders: tuple[str, ...] = field(default=())

    @property
    def added_for(self) -> str | None:
        """The collection that it came with, where it is not the first: those before lack it."""
        return next((name for name, added in ADDED.items() if self.name in added), None)

    @property
    def package(self) -> bool:
        """Whether it is fetched."""
        return bool(self.version)

    def places(self) -> dict[str, Path]:
        """All its files and folders by the names that they have when laid out.

        Raises OSError where a package cannot be had.
        """
        if self.package:
            top = unpacked(self.name, self.version, self.sha256)[1]
            return {each.rpartition("/")[2]: top / each for each in self.folders}
        names = [*self.tests, *(each for tests in self.tests.values() for each in tests)]
        return {
            name: next(each / name for each in (PROGRAMS, OLDER) if (each / name).exists())
            for name in names
        }

    def text(self, file: str) -> str:
        """A file without faults."""
        first, _, rest = file.partition("/")
        return (self.places()[first] / rest).read_text("utf-8")

    def lay_out(self, folder: Path) -> None:
        """Copy everything into a folder."""
        for name, source in self.places().items():
            if source.is_dir():
                shutil.copytree(source, folder / name)
            else:
                shutil.copyfile(source, folder / name)


PACKAGES = {
    each.name: each
    for each in (
        Subject(
            "boltons",
            {
                "boltons/iterutils.py": ("test_iterutils.py",),
                "boltons/strutils.py": ("test_strutils.py",),
                "boltons/listutils.py": ("test_listutils.py",),
                "boltons/setutils.py": ("test_setutils.py",),
            },
            "25.0.0",
            "e110fbdc30b7b9868cb604e3f71d4722dd8f4dcb4a5ddd06028ba8f1ab0b5ace",
            # Its conftest.py is of an older pytest.
            (
                "boltons",
                "tests/test_iterutils.py",
                "tests/test_strutils.py",
                "tests/test_listutils.py",
                "tests/test_setutils.py",
            ),
        ),
        Subject(
            "cachetools",
            {
                "cachetools/__init__.py": (
                    "tests/test_lru.py",
                    "tests/test_lfu.py",
                    "tests/test_fifo.py",
                    "tests/test_ttl.py",
                    "tests/test_tlru.py",
                    "tests/test_cached.py",
                ),
            },
            "5.5.2",
            "1a661caa9175d26759571b2e19580f9d6393969e5dfca11fdb1f947a23e640d4",
            ("src/cachetools", "tests"),
        ),
        Subject(
            "inflection",
            {"inflection/__init__.py": ("test_inflection.py",)},
            "0.5.1",
            "1a29730d366e996aaacffb2f1f1cb9593dc38e2ddd30c91250c6dde09ea9b417",
            ("inflection", "test_inflection.py"),
        ),
        Subject(
            "jsonpointer",
            {"jsonpointer.py": ("tests.py",)},
            "3.0.0",
            "2b2d729f2091522d61c3b31f82e11870f60b68f43fbc705cb76bf4b832af59ef",
            ("jsonpointer.py", "tests.py"),
        ),
        Subject(
            "more_itertools",
            {"more_itertools/recipes.py": ("tests/test_recipes.py",)},
            "10.5.0",
            "5482bfef7849c25dc3c6dd53a6173ae4795da2a41a80faea6700d9f5846c5da6",
            ("more_itertools", "tests"),
        ),
        Subject(
            "semver",
            {
                "semver/version.py": (
                    "tests/test_bump.py",
                    "tests/test_compare.py",
                    "tests/test_match.py",
                    "tests/test_parsing.py",
                    "tests/test_semver.py",
                ),
            },
            "3.0.4",
            "afc7d8c584a5ed0a11033af086e8af226a9c0b206f313e0301f8dd7b6b589602",
            ("src/semver", "tests"),
        ),
        Subject(
            "sqlparse",
            {
                "sqlparse/engine/statement_splitter.py": ("tests/test_split.py",),
                "sqlparse/engine/grouping.py": ("tests/test_grouping.py",),
                "sqlparse/filters/reindent.py": ("tests/test_format.py",),
            },
            "0.5.3",
            "09f67787f56a0b16ecdbde1bfc7f5d9c3371ca683cfeaa8e6ff60b4807ec9272",
            ("sqlparse", "tests"),
        ),
        Subject(
            "toolz",
            {
                "toolz/itertoolz.py": ("toolz/tests/test_itertoolz.py",),
                "toolz/dicttoolz.py": ("toolz/tests/test_dicttoolz.py",),
            },
            "1.0.0",
            "2c86e3d9a04798ac556793bced838816296a2f085017664e4995cb40a1047a02",
            ("toolz",),
        ),
        Subject(
            "isodate",
            {
                "isodate/isodates.py": ("tests/test_date.py", "tests/test_datetime.py"),
                "isodate/isotime.py": ("tests/test_time.py", "tests/test_datetime.py"),
                "isodate/isostrf.py": ("tests/test_strf.py", "tests/test_date.py"),
                "isodate/duration.py": ("tests/test_duration.py",),
                "isodate/isoduration.py": ("tests/test_duration.py",),
            },
            "0.7.2",
            "4cd1aa0f43ca76f4a6c6c0292a85f40b35ec2e43e315b59f06e6d32171a953e6",
            ("src/isodate", "tests"),
        ),
        Subject(
            "parse",
            {
                "parse/__init__.py": (
                    "tests/test_bugs.py",
                    "tests/test_findall.py",
                    "tests/test_parse.py",
                    "tests/test_parsetype.py",
                    "tests/test_pattern.py",
                    "tests/test_search.py",
                ),
            },
            "1.22.4",
            "706d458feed5a81b02768d3156e8070baf6cee7d150a3a3c0cd43101a875c3b5",
            ("parse", "tests"),
        ),
        Subject(
            "pathspec",
            {
                "pathspec/patterns/gitignore/spec.py": ("tests/test_04_gitignore_spec.py",),
            },
            "1.1.1",
            "17db5ecd524104a120e173814c90367a96a98d07c45b2e10c2f3919fff91bf5a",
            ("pathspec", "tests"),
        ),
        Subject(
            "schema",
            {"schema/__init__.py": ("test_schema.py",)},
            "0.7.8",
            "e86cc08edd6fe6e2522648f4e47e3a31920a76e82cce8937535422e310862ab5",
            ("schema", "test_schema.py", "LICENSE-MIT"),
        ),
        Subject(
            "simpleeval",
            {
                "simpleeval.py": (
                    "tests/test_basics.py",
                    "tests/test_comprehensions.py",
                    "tests/test_compound_types.py",
                    "tests/test_functions.py",
                    "tests/test_names.py",
                    "tests/test_short_circuiting.py",
                ),
            },
            "1.0.8",
            "b417f869c11f2de034eb919820a825f35d12ce99f63a43971947ce73679eb9ba",
            ("simpleeval.py", "tests"),
        ),
        Subject(
            "uritemplate",
            {
                "uritemplate/variable.py": (
                    "tests/test_uritemplate.py",
                    "tests/test_from_fixtures.py",
                ),
            },
            "4.2.0",
            "480c2ed180878955863323eea31b0ede668795de182617fef9c6ca09e6ec9d0e",
            ("uritemplate", "tests"),
        ),
        Subject(
            "voluptuous",
            {
                "voluptuous/validators.py": ("voluptuous/tests/tests.py",),
                "voluptuous/schema_builder.py": ("voluptuous/tests/tests.py",),
            },
            "0.16.0",
            "006535e22fed944aec17bef6e8725472476194743c87bd233e912eb463f8ff05",
            ("voluptuous",),
        ),
        Subject(
            "xmltodict",
            {"xmltodict.py": ("tests/test_xmltodict.py", "tests/test_dicttoxml.py")},
            "1.0.4",
            "6d94c9f834dd9e44514162799d344d815a3a4faec913717a9ecbfa5be1bb8e61",
            ("xmltodict.py", "tests"),
        ),
        Subject(
            "anytree",
            {
                "anytree/iterators/levelordergroupiter.py": ("tests/test_iterators.py",),
                "anytree/resolver.py": ("tests/test_resolver.py",),
                "anytree/render.py": ("tests/test_render.py",),
            },
            "2.13.0",
            "c9d3aa6825fdd06af7ebb05b4ef291d2db63e62bb1f9b7d9b71354be9d362714",
            ("src/anytree", "tests"),
        ),
        Subject(
            "humanize",
            {
                "humanize/number.py": ("tests/test_number.py",),
                "humanize/filesize.py": ("tests/test_filesize.py",),
            },
            "4.17.0",
            "1d6a36c453dbfbb3f0b34601d2e0b4ce5d48d780305cd45714843f0068fde6ac",
            ("src/humanize", "tests"),
        ),
        Subject(
            "rfc3986",
            {
                "rfc3986/builder.py": ("tests/test_builder.py",),
                "rfc3986/normalizers.py": ("tests/test_normalizers.py",),
            },
            "2.0.0",
            "97aacf9dbd4bfd829baad6e6309fa6573aaf1be3f6fa735c8ab05e46cecb261c",
            ("src/rfc3986", "tests"),
        ),
        Subject(
            "tabulate",
            {
                "tabulate/__init__.py": (
                    "test/test_input.py",
                    "test/test_internal.py",
                    "test/test_output.py",
                    "test/test_regression.py",
                ),
            },
            "0.10.0",
            "e2cfde8f79420f6deeffdeda9aaec3b6bc5abce947655d17ac662b126e48a60d",
            ("tabulate", "test"),
        ),
        Subject(
            "texttable",
            {"texttable.py": ("tests.py",)},
            "1.7.2",
            "dc16ea6b35fbf5291ba6ef79d79e37d9b3ca6acd7bae3ca3450488d7c2e19c99",
            ("texttable.py", "tests.py"),
        ),
        Subject(
            "tinydb",
            {
                "tinydb/table.py": ("tests/test_tables.py", "tests/test_tinydb.py"),
                "tinydb/utils.py": ("tests/test_utils.py",),
            },
            "4.9.0",
            "6928b1fa785186bda7952a0ba05aaeedc883ede565ca9c7d608de44e5e75de70",
            ("tinydb", "tests"),
        ),
        Subject(
            "unidiff",
            {
                "unidiff/patch.py": (
                    "tests/test_hunks.py",
                    "tests/test_line.py",
                    "tests/test_parser.py",
                    "tests/test_patchedfile.py",
                ),
            },
            "1.0.1",
            "d9425bc516390c54743a1045b2c1c97f02d245a913a241dd499f958adb2df998",
            ("unidiff", "tests"),
        ),
        Subject(
            "webcolors",
            {
                "webcolors/_html5.py": ("tests/test_html5.py",),
                "webcolors/_normalization.py": (
                    "tests/test_normalization.py",
                    "tests/test_conversion.py",
                ),
            },
            "25.10.0",
            "62abae86504f66d0f6364c2a8520de4a0c47b80c03fc3a5f1815fedbef7c19bf",
            ("src/webcolors", "tests"),
        ),
    )
}


@cache
def programs() -> dict[str, Subject]:
    """The small programs, by name."""
    tests = sorted(path.name for path in PROGRAMS.glob("test_*.py"))
    names = [test.removeprefix("test_") for test in tests]
    return {
        name.removesuffix(".py"): Subject(name.removesuffix(".py"), {name: (test,)})
        for name, test in zip(names, tests, strict=True)
    }


def subject(name: str) -> Subject:
    """A program or a package by its name."""
    return programs().get(name) or PACKAGES[name]
