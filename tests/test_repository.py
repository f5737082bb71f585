"""The repository keeps its own rules: sizes, imports, packaging, commands, no machine's traces."""

from __future__ import annotations

import ast
import os
import re
import shlex
import shutil
import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path

import pytest

import stripe
from benchmarks import house
from stripe_pytrace.agent.compiling import versions
from tests.support.needs import LEFT_OUT, needs
from tests.support.order import LONG

ROOT = Path(__file__).resolve().parent.parent
AGENT = ROOT / "backends" / "stripe_pytrace" / "agent"
INSIDE_GDB = ROOT / "backends" / "stripe_gdb" / "inside"
TRACER = ROOT / "backends" / "stripe_gdb" / "tracer"
PLUGINS = ROOT / "plugins"
BEHIND_WALLS = ROOT / "stripe" / "sandbox" / "inside"
OF_TESTS = ROOT / "stripe" / "guest"
GUESTS = {
    "agent": AGENT, "inside": INSIDE_GDB, "tracer": TRACER, "walls": BEHIND_WALLS, "tests": OF_TESTS
}  # fmt: skip
PRODUCT = [ROOT / "stripe", ROOT / "backends", PLUGINS]

in_checkout = pytest.mark.skipif(
    not (ROOT / ".git").exists() or shutil.which("git") is None, reason="needs a git checkout"
)


def run(
    *command: str | Path, env: dict[str, str] | None = None
) -> subprocess.CompletedProcess[str]:
    """Runs a command in the repository to its end, with its output as text."""
    words = [str(part) for part in command]
    return subprocess.run(
        words, cwd=ROOT, env=env, stdin=subprocess.DEVNULL, capture_output=True, text=True
    )


def repository_files() -> list[Path]:
    """Every file that is tracked or would be."""
    listed = run("git", "ls-files", "-z", "--cached", "--others", "--exclude-standard").stdout
    paths = (ROOT / name for name in listed.split("\0") if name)
    return [path for path in paths if path.is_file() and not path.is_symlink()]


# --- the code ----------------------------------------------------------------------------------


def modules() -> list[Path]:
    return [path for folder in PRODUCT for path in sorted(folder.rglob("*.py"))]


LIBRARY = sys.stdlib_module_names | {"_opcode_metadata"}
"""Modules of the standard library; of the oldest version, with those of later ones that we use."""


def foreign_imports(source: str, depth: int) -> list[str]:
    """Imports outside the standard library and outside the package ``depth`` levels above."""
    found = []
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.level == 0:
            names = [node.module or ""]
        elif isinstance(node, ast.ImportFrom) and node.level > depth:
            names = ["." * node.level + (node.module or "")]
        else:
            continue
        found += [
            f"line {node.lineno}: {name}" for name in names if name.partition(".")[0] not in LIBRARY
        ]
    return found


@pytest.mark.parametrize(
    ("source", "found"),
    [
        ("import os.path, sys\nfrom . import plan\nfrom .plan import Plan", []),
        ("import numpy", ["line 1: numpy"]),
        ("from stripe.trace import Trace", ["line 1: stripe.trace"]),
        ("def f():\n    from .. import backend", ["line 2: .."]),
        ("from __future__ import annotations\nimport _thread", []),
    ],
)
def test_foreign_imports_are_seen(source, found):
    assert foreign_imports(source, depth=1) == found


@pytest.mark.parametrize("folder", GUESTS.values(), ids=GUESTS)
def test_guests_import_the_standard_library_only(folder):
    found = {
        str(path.relative_to(ROOT)): foreign
        for path in sorted(folder.rglob("*.py"))
        if (
            foreign := [
                name
                for name in foreign_imports(
                    path.read_text("utf-8"), depth=len(path.relative_to(folder).parts)
                )
                if folder != INSIDE_GDB or not name.endswith(": gdb")
                if folder != TRACER or ": ..inside." not in name  # a guest as well
                if folder != BEHIND_WALLS or ": inside" not in name  # itself, by its own name
                if folder != OF_TESTS or not name.endswith(": pytest")
            ]
        )
    }
    assert found == {}


@needs("importlinter")
def test_rooms_import_along_the_arrows():
    command = "from importlinter.cli import lint_imports_command; lint_imports_command()"
    done = run(sys.executable, "-c", command, "--no-cache")
    assert done.returncode == 0, done.stdout + done.stderr
    assert "0 broken" in done.stdout


def on_the_map(text: str) -> set[str]:
    """The paths that CONTRIBUTING's map names; each level is indented by two."""
    chart = text.partition("\n    stripe/\n")
    found, above = set(), [""] * 8
    for line in ("    stripe/\n" + chart[2].partition("\n\n")[0]).splitlines():
        depth = (len(line) - len(line.lstrip()) - 4) // 2
        if depth < 6:  # else a description goes on
            above[depth + 1] = above[depth] + line.split()[0]
            found.add(above[depth + 1])
    return found


def test_the_goals_for_functions_and_imports_hold():
    graph, inside = house.imports(ROOT)
    assert house.cycles(graph) == []
    assert inside[False] == 0, "imports in functions that do not end with # lazy"
    assert house.long_functions(ROOT, 80) == []
    assert house.branchy(ROOT, 20) == []


@pytest.mark.parametrize("feature", house.LATER)
def test_what_came_later_is_where_it_is_counted(feature):
    assert [each for each in house.LATER[feature] if not (ROOT / each).exists()] == []


def test_searches_are_run_in_campaigns():
    """A tester made elsewhere would have a budget, an end and a memory of its own."""
    rooms = [folder for folder in (ROOT / "stripe").iterdir() if folder.name != "dd"]
    makers = {
        path.relative_to(ROOT).as_posix()
        for room in rooms
        for path in room.rglob("*.py")
        if re.search(r"\bTester\(", path.read_text("utf-8"))
    }
    assert makers == {"stripe/campaign/campaign.py"}


VERSIONS = "backends/stripe_pytrace/agent/compiling/versions.py"
ASKED = re.compile(r"\bversion_info\b|\bhexversion\b|^(import|from) (dis|opcode)\b", re.MULTILINE)


def test_one_module_knows_the_versions_of_python():
    """What the user's interpreter is asked is a text, for interpreters of any age."""
    askers = {
        path.relative_to(ROOT).as_posix()
        for path in modules()
        if ASKED.search(path.read_text("utf-8"))
    }
    assert askers == {VERSIONS, "backends/stripe_pytrace/interpreter.py"}


def test_a_map_is_read():
    text = "\n    stripe/\n      a/  the\n                  verbs\n        b.py  b\n    tools/\n\n"
    assert on_the_map(text) == {"stripe/", "stripe/a/", "stripe/a/b.py", "tools/"}


@in_checkout
def test_the_map_names_what_there_is():
    """Each folder of the checkout, each of packages, and each module of stripe itself."""
    files = [path.relative_to(ROOT) for path in repository_files()]
    rooms = {f"{path.parts[0]}/" for path in files if len(path.parts) > 1}
    for path in files:
        if path.suffix == ".py" and path.parts[0] in ("stripe", "backends", "plugins"):
            rooms.update(f"{folder}/" for folder in list(path.parents)[:-1])
        if str(path.parent) == "stripe" and path.suffix == ".py" and "__" not in path.name:
            rooms.add(str(path))
    assert on_the_map((ROOT / "CONTRIBUTING.md").read_text("utf-8")) == rooms


# --- what is shipped ---------------------------------------------------------------------------


def built(project: Path, folder: Path) -> tuple[set[str], str, str]:
    """The names in the wheel of a project, its entry points and its metadata."""
    build = f"import hatchling.build as b; print(b.build_wheel({str(folder)!r}))"
    done = subprocess.run(
        [sys.executable, "-c", build], cwd=project, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    with zipfile.ZipFile(folder / done.stdout.strip().splitlines()[-1]) as wheel:
        names = set(wheel.namelist())
        info = next(name for name in names if name.endswith(".dist-info/entry_points.txt"))
        entries = wheel.read(info).decode()
        metadata = wheel.read(info.replace("entry_points.txt", "METADATA")).decode()
    return names, entries, metadata


def packages(names: set[str]) -> set[str]:
    return {top for name in names if "." not in (top := name.partition("/")[0])}


def required(metadata: str) -> list[str]:
    lines = (line.partition(": ") for line in metadata.splitlines())
    return [text for name, _, text in lines if name == "Requires-Dist" and "extra ==" not in text]


def test_the_wheel_of_the_tool_holds_all_but_plugins(tmp_path):
    names, entries, metadata = built(ROOT, tmp_path)
    assert {"stripe/__init__.py", "stripe/py.typed", "stripe/backend.py"} <= names
    assert "stripe/guest/stripe_testcase/__main__.py" in names
    data = ("schema/result.json", "schema/changes.json", "html/page.js", "html/search.js")
    assert {f"stripe/report/{name}" for name in data} <= names
    assert packages(names) == {
        "stripe",
        *(path.parent.name for path in (ROOT / "backends").glob("*/__init__.py")),
    }
    assert "stripe = stripe.__main__:main" in entries
    assert "\nnative = stripe_gdb.backend:NativeBackend\n" in entries
    assert "\npython = stripe_pytrace.backend:PythonBackend\n" in entries
    assert "pytest11" not in entries
    assert "\nName: stripe-trace\n" in metadata
    assert f"\nVersion: {stripe.__version__}\n" in metadata
    assert [each.partition(">")[0] for each in required(metadata)] == [
        "jinja2",
        "msgspec",
        "platformdirs",
        "rich",
    ]


def test_the_wheel_of_the_plugins_holds_nothing_of_the_tool(tmp_path):
    names, entries, metadata = built(PLUGINS, tmp_path)
    assert packages(names) == {path.parent.name for path in PLUGINS.glob("*/__init__.py")}
    assert "[pytest11]\nstripe = stripe_pytest.plugin" in entries
    assert "\nName: pytest-stripe-trace\n" in metadata
    assert f"\nVersion: {stripe.__version__}\n" in metadata
    assert required(metadata) == ["pytest>=8"]
    assert (PLUGINS / "LICENSE").read_text("utf-8") == (ROOT / "LICENSE").read_text("utf-8")
    both = [
        tomllib.loads((folder / "pyproject.toml").read_text("utf-8"))["project"]
        for folder in (ROOT, PLUGINS)
    ]
    for key in ("requires-python", "license", "authors"):
        assert both[0][key] == both[1][key]
    ours, theirs = (
        [each for each in project["classifiers"] if "Python ::" in each] for project in both
    )
    assert ours == theirs


MAY_IMPORT = {
    "stripe_pytest": {"pytest", "stripe_pytest"},
    "stripe_magic": {"stripe_pytest", "IPython"},
}


@pytest.mark.parametrize("package", MAY_IMPORT)
def test_plugins_import_the_standard_library_and_their_host(package):
    found = {
        name
        for path in (PLUGINS / package).glob("*.py")
        for line in foreign_imports(path.read_text("utf-8"), depth=1)
        if (name := line.rpartition(" ")[2].partition(".")[0]) not in MAY_IMPORT[package]
    }
    assert found == set()


def test_the_version_is_the_one_of_the_changelog():
    changelog = (ROOT / "CHANGELOG.md").read_text("utf-8")
    headings = re.findall(r"^## \[(.+?)\](.*)$", changelog, re.MULTILINE)
    assert headings[0] == ("Unreleased", "")
    assert headings[1][0] == stripe.__version__
    assert all(re.fullmatch(r" - \d{4}-\d\d-\d\d", date) for _, date in headings[1:])


def test_the_interpreters_named_are_those_tested():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    named = re.findall(r"Python :: (3\.\d+)", "\n".join(project["classifiers"]))
    ci = (ROOT / ".ci" / "run").read_text("utf-8")
    assert re.findall(r"^supported=\((.*)\)", ci, re.MULTILINE) == [" ".join(named)]
    assert project["requires-python"] == f">={named[0]}"


@in_checkout
def test_no_machine_paths_and_no_registry_hosts():
    # Written so that this file does not match itself.
    places = [rf"(?<![\w.~])/{name}/" for name in ("root", "work")]
    hosts = [rf"\b{name}[.]org\b" for name in ("pypi", "pythonhosted")]
    hosts.append(rf"\b{'npm'}js[.](?:org|com)\b")
    wanted = re.compile("|".join(places + hosts))
    found = []
    for path in repository_files():
        content = path.read_bytes()
        if b"\0" in content:
            continue
        for number, line in enumerate(content.decode("utf-8", "replace").splitlines(), 1):
            if wanted.search(line):
                found.append(f"{path.relative_to(ROOT)}:{number}: {line.strip()[:100]}")
    assert found == []


def test_classifiers_name_the_versions_that_are_tested():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    told = re.findall(r"Python :: (3\.\d+)\b", "\n".join(project["classifiers"]))
    assert told == [str(each) for each in versions.VERSIONS]
    assert project["requires-python"] == f">={versions.OLDEST}"
    tested = re.search(r"^supported=\((.*)\)", (ROOT / ".ci" / "run").read_text(), re.MULTILINE)
    assert tested is not None
    assert tested[1].split() == told


def pins(lock: Path) -> dict[str, str]:
    entries = re.split(r"\n(?=\w)", lock.read_text("utf-8"))[1:]
    assert entries
    return {entry.split(" \\\n")[0]: entry for entry in entries}


LOCKS = sorted((ROOT / "requirements").glob("*.lock"))


@pytest.mark.parametrize("lock", LOCKS, ids=lambda lock: lock.stem)
def test_locks_have_versions_and_hashes_and_no_addresses(lock):
    text = lock.read_text("utf-8")
    assert "://" not in text
    assert "--index" not in text
    for entry in pins(lock).values():
        assert re.match(r"[\w.-]+==\S+", entry), entry
        assert "--hash=sha256:" in entry, entry


def test_each_group_and_extra_has_its_lock_and_locks_agree():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    groups, extras = project["dependency-groups"], project["project"]["optional-dependencies"]
    parts = {"package", *groups, *extras}
    assert {lock.stem for lock in LOCKS} == parts
    entries: dict[str, str] = {}
    for lock in LOCKS:
        for pin, entry in pins(lock).items():
            assert entries.setdefault(pin, entry).strip() == entry.strip(), (lock.name, pin)
    assert len({pin.split("==")[0] for pin in entries if " ;" not in pin}) == len(
        [pin for pin in entries if " ;" not in pin]
    )


# --- the commands ------------------------------------------------------------------------------


@pytest.mark.skipif(shutil.which("make") is None, reason="needs make")
def test_make_alone_lists_the_commands():
    listed = run("make", "-s", env=os.environ | {"MAKEFLAGS": ""}).stdout
    for target in ("demo", "test", "lint", "types", "bench", "docs", "clean", "help"):
        assert re.search(rf"^  make {target} +\S", listed, re.MULTILINE), target


def test_the_files_that_begin_first_are_there():
    missing = [name for name in LONG if not (ROOT / "tests" / f"{name}.py").is_file()]
    assert not missing
    assert len(set(LONG)) == len(LONG)


def test_hooks_before_a_commit_are_commands_of_make():
    yaml = pytest.importorskip("yaml", reason=LEFT_OUT)
    made = yaml.safe_load((ROOT / ".pre-commit-config.yaml").read_text("utf-8"))
    [group] = made["repos"]
    assert group["repo"] == "local", "nothing is fetched"
    targets = re.findall(r"^([a-z]+):", (ROOT / "Makefile").read_text("utf-8"), re.MULTILINE)
    for hook in group["hooks"]:
        words = shlex.split(hook["entry"])
        assert words[0] == "make"
        assert words[1] in targets
        assert hook["language"] == "system"
        assert hook["pass_filenames"] is False
    assert len({hook["id"] for hook in group["hooks"]}) == len(group["hooks"]) == 3


@pytest.mark.parametrize(
    "script",
    sorted(
        str(path.relative_to(ROOT))
        for path in (ROOT / "tools").iterdir()
        if path.is_file() and path.read_bytes().startswith(b"#!/bin/sh")
    ),
)
def test_scripts_are_executable_and_parse(script):
    assert os.access(ROOT / script, os.X_OK)
    assert run("sh", "-n", ROOT / script).returncode == 0


def test_ci_is_executable_and_parses():
    assert os.access(ROOT / ".ci" / "run", os.X_OK)
    if shutil.which("bash"):
        assert run("bash", "-n", ROOT / ".ci" / "run").returncode == 0


class Machine:
    """A machine of the test's own: a PATH, a home and a checkout with nothing but our tools."""

    def __init__(self, folder: Path) -> None:
        self.bin = folder / "bin"
        self.pyenv = folder / "home" / ".pyenv" / "versions"
        self.checkout = folder / "a checkout"
        for path in (self.bin, self.pyenv, self.checkout):
            path.mkdir(parents=True)
        shutil.copytree(ROOT / "tools", self.checkout / "tools")
        self.home = folder / "home"

    def script(self, path: Path, body: str) -> Path:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f"#!/bin/sh\n{body}\n")
        path.chmod(0o755)
        return path

    def python(self, path: Path, version: str, kind: str = "cpython") -> Path:
        """Puts something there that answers as that Python would."""
        major, minor, patch = map(int, version.split("."))
        answer = f"{kind} {major << 24 | minor << 16 | patch << 8 | 0xF0} {version} {path}"
        return self.script(path, f"[ \"$1\" = -E ] && echo '{answer}'")

    def broken(self, path: Path) -> Path:
        """A pyenv shim of a version that is switched off."""
        return self.script(path, "echo 'pyenv: command not found' >&2; exit 127")

    def find(self, *arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
        return run(
            shutil.which("sh") or "/bin/sh",
            self.checkout / "tools" / "find-python",
            *arguments,
            env={"PATH": str(self.bin), "HOME": str(self.home)} | environment,
        )


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    return Machine(tmp_path)


def test_find_python_takes_the_newest_on_the_path(machine):
    machine.python(machine.bin / "python3.12", "3.12.9")
    newest = machine.python(machine.bin / "python3.13", "3.13.1")
    assert machine.find().stdout == f"{newest}\n"


def test_find_python_takes_the_version_asked_for(machine):
    older = machine.python(machine.bin / "python3.12", "3.12.9")
    machine.python(machine.bin / "python3.13", "3.13.1")
    assert machine.find("3.12").stdout == f"{older}\n"
    missing = machine.find("--no-fetch", "3.14")
    assert missing.returncode == 1
    assert "no CPython 3.14 found" in missing.stderr


def test_find_python_looks_behind_a_shim_that_does_not_run(machine):
    machine.broken(machine.bin / "python3.13")
    behind = machine.bin.parent / "second"
    real = machine.python(behind / "python3.13", "3.13.1")
    assert machine.find(PATH=f"{machine.bin}:{behind}").stdout == f"{real}\n"


def test_find_python_takes_a_plain_python3_that_is_new_enough(machine):
    plain = machine.python(machine.bin / "python3", "3.15.0")
    assert machine.find().stdout == f"{plain}\n"


def test_find_python_goes_on_to_pyenv_and_takes_the_latest_patch(machine):
    machine.broken(machine.bin / "python3.13")
    machine.python(machine.bin / "python3", "3.11.2")
    machine.python(machine.pyenv / "3.13.2" / "bin" / "python", "3.13.2")
    latest = machine.python(machine.pyenv / "3.13.10" / "bin" / "python", "3.13.10")
    machine.python(machine.pyenv / "3.13.11t" / "bin" / "python", "3.13.11", "free-threaded")
    assert machine.find().stdout == f"{latest}\n"


def test_find_python_follows_pyenv_root(machine, tmp_path):
    elsewhere = tmp_path / "pyenv elsewhere"
    there = machine.python(elsewhere / "versions" / "3.12.4" / "bin" / "python", "3.12.4")
    assert machine.find(PYENV_ROOT=str(elsewhere)).stdout == f"{there}\n"


def test_find_python_says_what_it_found_and_what_to_do(machine):
    old = machine.python(machine.bin / "python3", "3.11.2")
    shim = machine.broken(machine.bin / "python3.13")
    done = machine.find("--no-fetch")
    assert done.returncode == 1
    assert done.stdout == ""
    assert "no CPython 3.12 or later found [no-python]" in done.stderr
    assert f"{old}: 3.11.2, too old" in done.stderr
    assert f"{shim}: does not run" in done.stderr
    assert "next: install Python 3.12 or later" in done.stderr
    assert "make PYTHON=" in done.stderr


def test_find_python_says_so_if_there_is_none_and_none_can_be_fetched(machine):
    done = machine.find()
    assert done.returncode == 1
    assert "uv: not installed, and could not be fetched" in done.stderr


def test_find_python_obeys_the_override(machine):
    machine.python(machine.bin / "python3.13", "3.13.1")
    own = machine.python(machine.bin / "mine", "3.12.2")
    assert machine.find(PYTHON="mine").stdout == f"{own}\n"
    assert machine.find(PYTHON=str(own)).stdout == f"{own}\n"


def test_find_python_refuses_an_override_that_will_not_do(machine):
    machine.python(machine.bin / "python3.13", "3.13.1")
    machine.python(machine.bin / "python3.9", "3.9.1")
    machine.broken(machine.bin / "python3.12")
    for named, said in {
        "python3.9": "PYTHON=python3.9: 3.9.1, too old",
        "python3.12": "PYTHON=python3.12: does not run",
        "nowhere": "PYTHON=nowhere: no such command",
    }.items():
        done = machine.find(PYTHON=named)
        assert done.returncode == 1
        assert said in done.stderr


def test_find_python_uses_one_that_uv_knows(machine):
    known = machine.python(machine.home / "uv" / "python3.12", "3.12.8")
    machine.script(
        machine.bin / "uv",
        f"""case "$*" in
        --version) echo uv 1 ;;
        "python find"*3.12) echo '{known}' ;;
        *) exit 2 ;;
        esac""",
    )
    assert machine.find("--no-fetch").stdout == f"{known}\n"


def test_find_python_has_uv_fetch_one_into_the_checkout(machine):
    fetched = machine.python(machine.home / "store" / "python3", "3.13.7")
    machine.script(
        machine.bin / "uv",
        f"""PATH={os.environ["PATH"]}
        case "$*" in
        --version) echo uv 1 ;;
        "python install"*3.13)
            folder=$UV_PYTHON_INSTALL_DIR/cpython-3.13.7-linux/bin
            mkdir -p "$folder" && cp '{fetched}' "$folder/python3" ;;
        *) exit 2 ;;
        esac""",
    )
    done = machine.find()
    assert done.stdout == f"{fetched}\n"
    assert "fetching 3.13 with uv into .venv/uv/" in done.stderr
    assert list((machine.checkout / ".venv" / "uv" / "python").iterdir())
    again = machine.find("--no-fetch")
    assert (again.stdout, again.stderr) == (f"{fetched}\n", "")


def test_find_python_finds_one_that_can_run_this_project():
    done = run(ROOT / "tools" / "find-python", env=os.environ | {"PYTHON": sys.executable})
    assert done.returncode == 0, done.stderr
    assert run(done.stdout.strip(), "-c", "import sys; sys.monitoring").returncode == 0
