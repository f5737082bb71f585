"""What the sandbox alone denies is not told as the program's own failure."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from stripe import trace
from stripe.changes import find_changes
from stripe.checks import parse_check
from stripe.errors import NotReducible
from stripe.inputs.plan import Plan
from stripe.inputs.reduction import reduce_input
from stripe.inputs.trial import Trial
from stripe.running.command import command_of
from stripe.sandbox.walls import Layer
from stripe.suspects import find_suspects
from tests.changes.repositories import Repo
from tests.stripe_gdb.native import needs_cc, needs_gdb
from tests.support.layers import forced

needs_root = pytest.mark.skipif(os.geteuid() != 0, reason="is about what root may do")

IN_C = """\
#include <stdio.h>
int main(int count, char **words)
{
    FILE *file = fopen(words[1], "w");
    if (!file) {
        perror(words[1]);
        return 1;
    }
    return 0;
}
"""


def refusal(program: str, *arguments: object, folder: Path, **options: object) -> NotReducible:
    with pytest.raises(NotReducible) as caught:
        trace(program, *arguments, directory=folder, **options)  # type: ignore[arg-type]
    return caught.value


@pytest.fixture
def elsewhere() -> Iterator[Path]:
    """A folder outside of all that runs may write, which is not in ``/tmp``."""
    with TemporaryDirectory(dir=Path.home()) as folder:
        yield Path(folder)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    work = tmp_path / "work"
    work.mkdir()
    (work / "write.py").write_text("import sys\nopen(sys.argv[1], 'w').write('x')\n")
    (work / "read.py").write_text("import sys\nprint(open(sys.argv[1]).read())\n")
    return work


def test_a_file_outside_that_landlock_alone_keeps_from_being_written(
    folder: Path, elsewhere: Path
) -> None:
    outside = elsewhere / "outside.txt"
    with forced(Layer.LANDLOCK):
        error = refusal("write.py", outside, folder=folder)
        assert error.slug == "denied-by-sandbox"
        assert f"Permission denied: '{outside}'" in error.message
        assert "$TMPDIR" in error.hint
        assert not outside.exists()


@needs_cc
@needs_gdb
def test_a_native_program_is_told_the_same(folder: Path, elsewhere: Path) -> None:
    (folder / "write.c").write_text(IN_C)
    subprocess.run(["cc", "-O0", "-g", "-o", "write", "write.c"], cwd=folder, check=True)
    with forced(Layer.LANDLOCK):
        error = refusal("./write", elsewhere / "outside.txt", folder=folder, check="exit")
        assert error.slug == "denied-by-sandbox"


@needs_root
def test_root_is_nobody_special_inside_and_that_is_said(folder: Path) -> None:
    theirs = folder.parent / "theirs.txt"  # what is copied is ours
    theirs.write_text("x")
    os.chown(theirs, 12345, 12345)
    theirs.chmod(0o600)
    with forced(Layer.NAMESPACES):
        error = refusal("read.py", theirs, folder=folder)
    assert error.slug == "denied-by-sandbox"
    assert "root" in error.hint


@pytest.mark.parametrize("layer", [Layer.NAMESPACES, Layer.LANDLOCK])
def test_what_is_denied_outside_as_well_is_the_programs_own(folder: Path, layer: Layer) -> None:
    (folder / "denied.py").write_text("raise PermissionError(13, 'Permission denied', 'data')\n")
    with forced(layer):
        found = trace("denied.py", directory=folder)
        assert found.recorded is not None
        assert found.recorded.exception is not None
        assert found.recorded.exception.type == "PermissionError"
        away = folder / "nowhere" / "file.txt"
        found = trace("write.py", away, directory=folder)
        assert found.recorded is not None
        assert found.recorded.exception is not None
        assert found.recorded.exception.type == "FileNotFoundError"


CATCHES = """\
import sys
try:
    log = open(sys.argv[1], 'w')
except OSError:
    log = None
print(log is None)
"""


def test_a_denial_that_the_program_catches_is_known(folder: Path, elsewhere: Path) -> None:
    outside = elsewhere / "outside.txt"
    (folder / "catches.py").write_text(CATCHES)
    with forced(Layer.LANDLOCK):
        found = trace("catches.py", outside, directory=folder)
        assert found.recorded is not None
        assert found.recorded.stdout == "True\n"
        assert any(str(outside) in note for note in found.notes)
        (folder / "catches.py").write_text(CATCHES + "log.write('x')\n")
        error = refusal("catches.py", outside, folder=folder)
    assert error.slug == "denied-by-sandbox"
    assert str(outside) in error.message


def test_an_error_that_names_no_file_is_the_programs_own_unless_we_denied_it(folder: Path) -> None:
    (folder / "denied.py").write_text("raise PermissionError(13, 'Permission denied')\n")
    with forced(Layer.LANDLOCK):
        found = trace("denied.py", directory=folder)
    assert found.recorded is not None
    assert found.recorded.exception is not None


def test_input_and_changes_tell_the_same(folder: Path, elsewhere: Path) -> None:
    outside = elsewhere / "outside.txt"
    with forced(Layer.LANDLOCK):
        words = [sys.executable, str(folder / "write.py"), str(outside), "@@"]
        command = command_of(words, Path("in.txt"))
        trial = Trial(command, b"a\nb\n", parse_check("crash"))
        with trial, pytest.raises(NotReducible) as refused:
            reduce_input(trial, Plan())
        assert refused.value.slug == "denied-by-sandbox"
        repository = Repo(folder.parent / "repository")
        good = repository.commit("good", {"write.py": "print(1)\n"})
        bad = repository.commit("bad", {"write.py": (folder / "write.py").read_text()})
        test = f"{sys.executable} write.py {outside}"
        with pytest.raises(NotReducible) as refused:
            find_changes(good, bad, test=test, repo=repository.path)
        assert refused.value.slug == "denied-by-sandbox"
    assert not outside.exists()


ORDINARY = {
    "asyncio": "import asyncio\nasync def f():\n    return 3\nprint(asyncio.run(f()))\n",
    "shutil.copy": "import shutil\nshutil.copy('a.txt', 'b.txt')\nprint(open('b.txt').read())\n",
    "mode": "import os\nos.chmod('a.txt', 0o640)\nprint(oct(os.stat('a.txt').st_mode))\n",
    "times": "import os\nos.utime('a.txt', ns=(1, 10**9))\nprint(os.stat('a.txt').st_mtime_ns)\n",
    "owner": "import os\nos.chown('a.txt', os.getuid(), -1)\nprint('ok')\n",
    "sqlite3": """\
import sqlite3
c = sqlite3.connect('x.db')
c.execute('create table t(a)')
c.execute('insert into t values (1)')
print(c.execute('select * from t').fetchall())
""",
    "tarfile": """\
import tarfile
with tarfile.open('a.tar', 'w') as t:
    t.add('a.txt')
with tarfile.open('a.tar') as t:
    t.extractall('d', filter='data')
print(open('d/a.txt').read())
""",
    "tempfile": "import tempfile\nwith tempfile.NamedTemporaryFile('w') as f:\n    print('ok')\n",
    "/tmp": "with open('/tmp/stripe-test.txt', 'w') as f:\n    f.write('x')\nprint('ok')\n",
    "multiprocessing.Pool": """\
from multiprocessing import Pool
if __name__ == '__main__':
    with Pool(2) as pool:
        print(pool.map(abs, [-1, -2]))
""",
    "attributes": "import os\nos.setxattr('a.txt', 'user.x', b'1')\nprint(os.listxattr('a.txt'))\n",
    "multiprocessing.Lock": "import multiprocessing\nlock = multiprocessing.Lock()\nprint('ok')\n",
    "loopback": """\
import socket
server = socket.create_server(('127.0.0.1', 0))
client = socket.create_connection(server.getsockname())
server.accept()[0].send(b'hi')
print(client.recv(2))
""",
}


@pytest.fixture
def slices(folder: Path) -> Callable[[str], dict[Layer, object]]:
    """The slice of a program in each layer, or the slug of the refusal."""
    (folder / "a.txt").write_text("hello")

    def by_layer(code: str) -> dict[Layer, object]:
        (folder / "ordinary.py").write_text(code)
        found: dict[Layer, object] = {}
        for layer in (Layer.NAMESPACES, Layer.LANDLOCK):
            with forced(layer):
                try:
                    (kept,) = trace("ordinary.py", directory=folder).slices
                    found[layer] = kept.events
                except NotReducible as error:
                    found[layer] = error.slug
        return found

    return by_layer


@pytest.mark.parametrize("code", ORDINARY.values(), ids=ORDINARY)
def test_ordinary_programs_have_the_same_slice_in_both_layers(
    slices: Callable[[str], dict[Layer, object]], code: str
) -> None:
    found = slices(code)
    assert not isinstance(found[Layer.NAMESPACES], str)
    assert found[Layer.LANDLOCK] == found[Layer.NAMESPACES]


TESTS_OF_FILES = """\
from unittest import TestCase

from half import half

class TestHalf(TestCase):
    def test_outside(self):
        with open({outside!r}, "w") as file:
            file.write(str(half(4)))

    def test_odd(self):
        assert half(3) == 1

    def test_even(self):
        assert half(4) == 2
"""


@pytest.mark.parametrize("tester", ["pytest", "unittest"])
def test_suspects_are_not_sought_for_what_the_sandbox_alone_denies(
    folder: Path, elsewhere: Path, tester: str
) -> None:
    outside = elsewhere / "outside.txt"
    (folder / "half.py").write_text("def half(n):\n    return n / 2\n")
    (folder / "test_half.py").write_text(TESTS_OF_FILES.format(outside=str(outside)))
    words = ["test_half.py" if tester == "pytest" else "test_half"]
    with forced(Layer.LANDLOCK):
        found = find_suspects(tester, words, module=True, directory=folder)
        assert [test.partition("test_odd")[1] for test in found.failing] == ["test_odd"]
        (note,) = [each for each in found.notes if "sandbox alone" in each]
        assert str(outside) in note
        (folder / "half.py").write_text("def half(n):\n    return n // 2\n")
        with pytest.raises(NotReducible) as caught:
            find_suspects(tester, words, module=True, directory=folder)
        assert caught.value.slug == "denied-by-sandbox"
        assert str(outside) in caught.value.message


def test_a_program_with_an_expected_output_is_told_the_same(folder: Path, elsewhere: Path) -> None:
    outside = elsewhere / "outside.txt"
    with forced(Layer.LANDLOCK), pytest.raises(NotReducible) as caught:
        find_suspects("write.py", [str(outside)], directory=folder, expect=b"written")
    assert caught.value.slug == "denied-by-sandbox"
