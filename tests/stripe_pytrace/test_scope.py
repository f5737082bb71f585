"""What counts as the user's code: project, include and exclude globs, and the case each decides."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from stripe.errors import UsageError
from stripe_pytrace.agent.compiling import scope_rules
from stripe_pytrace.scope import Scope

PROJECT = Path("/home/user/project")
STDLIB = "/usr/lib/python3.13"
PACKAGES = "/usr/lib/python3/dist-packages"


def scope(include: str = "", only: str = "", exclude: str = "") -> Scope:
    """Globs are separated by blanks here."""
    libraries = [STDLIB, PACKAGES]
    return Scope([PROJECT], include.split(), only.split(), exclude.split(), libraries)


class TestDefault:
    @pytest.mark.parametrize(
        ("path", "counts"),
        [
            ("/home/user/project/main.py", True),
            ("/home/user/project/package/deep/module.py", True),
            ("/home/user/project/tool.pyw", True),
            ("/home/user/other/main.py", False),
            ("/home/user/project-2/main.py", False),
            ("/home/user/project/../other/main.py", False),
            ("/usr/lib/python3.13/json/decoder.py", False),
            ("/usr/lib/python3/dist-packages/apt.py", False),
            ("/home/user/project/.venv/lib/python3.13/site-packages/x.py", False),
            ("/home/user/project/vendor/dist-packages/x.py", False),
            ("/home/user/project/.cache/generated.py", False),
            ("/home/user/project/__pycache__/x.py", False),
            ("/home/user/project/node_modules/gyp/x.py", False),
            ("/home/user/project/.hidden.py", True),
            ("/home/user/project/page.html", False),
            ("/home/user/project/fast.so", False),
            ("<string>", False),
            ("<frozen importlib._bootstrap>", False),
            ("", False),
        ],
    )
    def test_the_projects_own_sources_count(self, path: str, counts: bool) -> None:
        assert scope().wants(path) is counts

    def test_the_project_may_lie_in_a_hidden_folder(self) -> None:
        assert Scope([Path("/home/user/.config/tool")]).wants("/home/user/.config/tool/main.py")

    def test_the_program_counts_whatever_its_name(self) -> None:
        program = PROJECT / "bin" / "tool"
        assert Scope([PROJECT], program=program).wants(str(program))
        assert not Scope([PROJECT], exclude=["bin"], program=program).wants(str(program))
        assert not Scope([PROJECT], only=["package"], program=program).wants(str(program))

    def test_relative_paths_are_from_the_working_directory(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.chdir(tmp_path)
        assert Scope([tmp_path]).wants("main.py")

    def test_a_project_within_the_standard_library_does_not_count(self) -> None:
        project = Path(STDLIB) / "json"
        assert not Scope([project], libraries=[STDLIB]).wants(f"{STDLIB}/json/tool.py")

    def test_environments_in_a_project_whatever_their_name(self, tmp_path: Path) -> None:
        (tmp_path / "myenv" / "bin").mkdir(parents=True)
        (tmp_path / "myenv" / "pyvenv.cfg").touch()
        chosen = Scope([tmp_path])
        assert not chosen.wants(str(tmp_path / "myenv" / "bin" / "activate_this.py"))
        assert chosen.wants(str(tmp_path / "other" / "x.py"))

    def test_a_project_within_an_environment(self, tmp_path: Path) -> None:
        (tmp_path / "pyvenv.cfg").touch()
        project = tmp_path / "src" / "project"
        project.mkdir(parents=True)
        chosen = Scope([project], libraries=[str(tmp_path)])
        assert chosen.wants(str(project / "main.py"))
        assert not chosen.wants(str(tmp_path / "lib" / "site-packages" / "x.py"))

    def test_a_project_known_by_two_paths(self, tmp_path: Path) -> None:
        (tmp_path / "real").mkdir()
        (tmp_path / "real" / "main.py").touch()
        (tmp_path / "link").symlink_to("real")
        for project in ("real", "link"):
            for path in ("real", "link"):
                assert Scope([tmp_path / project]).wants(str(tmp_path / path / "main.py"))

    def test_a_link_to_a_library_does_not_make_it_the_users(self, tmp_path: Path) -> None:
        (tmp_path / "site-packages").mkdir()
        (tmp_path / "site-packages" / "x.py").touch()
        (tmp_path / "project").mkdir()
        (tmp_path / "project" / "vendor").symlink_to("../site-packages")
        project = tmp_path / "project"
        assert not Scope([project]).wants(str(project / "vendor" / "x.py"))


class TestGlobs:
    @pytest.mark.parametrize(
        ("glob", "path", "matches"),
        [
            # A name without a slash: anywhere in the project, or a library of that name.
            ("mypkg", "/home/user/project/mypkg/a/b.py", True),
            ("mypkg", "/home/user/project/src/mypkg/a.py", True),
            ("mypkg/", "/home/user/project/mypkg/a.py", True),
            ("mypkg", "/home/user/project/mypkg2/a.py", False),
            ("mypkg", "/home/user/project/mypkg.py", True),
            ("mypkg", "/srv/mypkg/a.py", False),
            ("apt", "/usr/lib/python3/dist-packages/apt/cache.py", True),
            ("calendar", "/usr/lib/python3.13/calendar.py", True),
            ("encoder", "/usr/lib/python3.13/json/encoder.py", False),
            ("lib", "/home/user/project/lib/site-packages/x.py", False),
            ("main.py", "/home/user/project/main.py", True),
            ("test_*.py", "/home/user/project/a/test_x.py", True),
            ("*.py", "/home/user/project/a/b.py", True),
            ("*.py", "/usr/lib/python3.13/os.py", False),
            ("*.py", "/home/user/project/.venv/lib/site-packages/x.py", False),
            (".", "/home/user/project/a/b.py", True),
            # With a slash: from the top of the project.
            ("mypkg/**", "/home/user/project/mypkg/a/b.py", True),
            ("mypkg/**", "/home/user/project/src/mypkg/b.py", False),
            ("./mypkg/*.py", "/home/user/project/mypkg/b.py", True),
            ("mypkg/*.py", "/home/user/project/mypkg/a/b.py", False),
            ("mypkg/*", "/home/user/project/mypkg/a/b.py", True),
            ("mypkg/**/b.py", "/home/user/project/mypkg/b.py", True),
            ("mypkg/**/b.py", "/home/user/project/mypkg/x/y/b.py", True),
            ("my*/b.py", "/home/user/project/mypkg/b.py", True),
            ("json/decoder.py", "/usr/lib/python3.13/json/decoder.py", True),
            ("my*/os.py", "/usr/lib/python3.13/mypkg/os.py", False),
            # A folder anywhere on the machine.
            ("*/json/*.py", "/usr/lib/python3.13/json/decoder.py", True),
            ("*/json/*.py", "/usr/lib/python3.13/json/sub/decoder.py", False),
            ("**/json/**", "/usr/lib/python3.13/json/sub/decoder.py", True),
            ("*/json", "/usr/lib/python3.13/json/decoder.py", True),
            ("*/json/*.py", "/home/user/project/json/a.py", True),
            ("**/*.py", "/home/user/project/a/b.py", True),
            ("**/*.py", "/usr/lib/python3.13/os.py", False),
            ("*/site-packages/x/**", "/opt/env/lib/site-packages/x/y.py", True),
            # An exact place.
            ("/usr/lib/python3.13/os.py", "/usr/lib/python3.13/os.py", True),
            ("/usr/lib/python3*/json", "/usr/lib/python3.13/json/tool.py", True),
            ("/usr", "/home/user/project/usr/x.py", False),
            ("../shared/*.py", "/home/user/shared/x.py", True),
            ("../shared/*.py", "/home/user/project/shared/x.py", False),
            # Single characters, sets, and characters that mean something elsewhere.
            ("m?in.py", "/home/user/project/main.py", True),
            ("[lm]ain.py", "/home/user/project/main.py", True),
            ("[!m]ain.py", "/home/user/project/main.py", False),
            ("[a-m]ain.py", "/home/user/project/main.py", True),
            ("[]m]ain.py", "/home/user/project/main.py", True),
            ("[z-a]ain.py", "/home/user/project/[z-a]ain.py", True),
            ("m[ain.py", "/home/user/project/m[ain.py", True),
            ("a+(b).py", "/home/user/project/a+(b).py", True),
            ("main.py", "/home/user/project/mainxpy", False),
            # Python sources only.
            ("mypkg", "/home/user/project/mypkg/page.html", False),
        ],
    )
    def test_a_glob_counts_what_it_matches(self, glob: str, path: str, matches: bool) -> None:
        assert scope(only=glob).wants(path) is matches

    def test_home(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("HOME", "/home/someone")
        assert scope(include="~/lib/*.py").wants("/home/someone/lib/x.py")

    def test_an_include_adds_to_the_project(self) -> None:
        chosen = scope(include="requests json/decoder.py urllib.parse shlex.py /srv")
        for path in (
            f"{PROJECT}/main.py",
            f"{PACKAGES}/requests/api.py",
            f"{STDLIB}/json/decoder.py",
            f"{STDLIB}/urllib/parse.py",
            f"{STDLIB}/shlex.py",
            "/srv/x.py",
        ):
            assert chosen.wants(path), path
        for path in (f"{STDLIB}/json/encoder.py", f"{STDLIB}/urllib/error.py", "/opt/x.py"):
            assert not chosen.wants(path), path

    def test_a_distribution_means_its_modules(self, tmp_path: Path) -> None:
        about = tmp_path / "Nice_Dates-1.0.dist-info"
        about.mkdir()
        (about / "METADATA").write_text("Metadata-Version: 2.1\nName: Nice-Dates\nVersion: 1.0\n")
        (about / "RECORD").write_text(
            "dates/__init__.py,,\n_dates.py,,\n../../bin/dates,,\nNice_Dates-1.0.dist-info/RECORD,,\n"
        )
        (tmp_path / "dates").mkdir()
        (tmp_path / "dates" / "__init__.py").touch()
        (tmp_path / "_dates.py").touch()
        chosen = Scope([PROJECT], ["nice-dates"], libraries=[str(tmp_path)])
        assert chosen.wants(f"{tmp_path}/dates/zone.py")
        assert chosen.wants(f"{tmp_path}/_dates.py")
        assert not chosen.wants(f"{tmp_path}/other.py")
        assert not chosen.wants(f"{tmp_path}/dates.py")

    def test_with_only_nothing_else_counts(self) -> None:
        chosen = scope(only="mypkg other")
        assert chosen.wants("/home/user/project/mypkg/a.py")
        assert chosen.wants("/home/user/project/other/a.py")
        assert not chosen.wants("/home/user/project/main.py")

    def test_excludes_win(self) -> None:
        chosen = scope(only="mypkg /srv/x.py", exclude="tests **/mypkg/gen_*.py /srv")
        assert chosen.wants("/home/user/project/mypkg/a.py")
        assert not chosen.wants("/home/user/project/mypkg/tests/a.py")
        assert not chosen.wants("/home/user/project/mypkg/gen_a.py")
        assert not chosen.wants("/srv/x.py")

    def test_excludes_take_from_the_default(self) -> None:
        chosen = scope(exclude="tests")
        assert chosen.wants("/home/user/project/main.py")
        assert not chosen.wants("/home/user/project/a/tests/b.py")

    @pytest.mark.parametrize("glob", ["", " ", "/", "a\0b"])
    @pytest.mark.parametrize("option", ["include", "only", "exclude"])
    def test_a_glob_that_names_nothing_is_an_error(self, glob: str, option: str) -> None:
        with pytest.raises(UsageError) as caught:
            Scope([PROJECT], **{option: [glob]})  # type: ignore[arg-type]
        assert caught.value.slug == "bad-glob"
        assert f"--{option}" in caught.value.message

    def test_options_that_matched_nothing_can_be_told(self) -> None:
        chosen = scope(include="mypkg typo", only="*/json/*.py", exclude="mypkg")
        executed = ["/home/user/project/mypkg/a.py", "/usr/lib/python3.13/json/tool.py"]
        assert chosen.unmatched(executed) == ["--include 'typo'"]
        assert chosen.unmatched([]) == [
            "--include 'mypkg'",
            "--include 'typo'",
            "--only '*/json/*.py'",
        ]


class TestRules:
    def test_scratch_copies_are_judged_as_the_originals(self) -> None:
        chosen = scope(only="mypkg/**")
        rules = chosen.rules({Path("/tmp/stripe-x/0000/cwd/project"): PROJECT})
        path = "/tmp/stripe-x/0000/cwd/project/mypkg/a.py"
        assert scope_rules.wants(rules, path)
        assert not chosen.wants(path)
        assert chosen.unmatched([path], rules) == []
        assert scope_rules.wants(rules, str(PROJECT / "mypkg" / "a.py"))

    def test_a_copy_may_lie_in_a_hidden_folder(self) -> None:
        rules = scope().rules({Path("/home/user/.tmp/0000/project"): PROJECT})
        assert scope_rules.wants(rules, "/home/user/.tmp/0000/project/main.py")

    def test_another_interpreter_decides_the_same_without_our_packages(self) -> None:
        """The agent's files and the data are all that the traced interpreter has."""
        chosen = scope(only="mypkg */json/*.py", exclude="tests")
        paths = [
            "/home/user/project/mypkg/a.py",
            "/home/user/project/mypkg/tests/a.py",
            "/usr/lib/python3.13/json/tool.py",
            "/home/user/project/main.py",
        ]
        program = (
            "import json, sys\nfrom agent.compiling import scope_rules\n"
            "rules, paths = json.load(sys.stdin)\n"
            "print(json.dumps([scope_rules.wants(rules, path) for path in paths]))\n"
            "assert not [name for name in sys.modules if name.startswith('stripe')]\n"
        )
        agent = os.path.dirname(os.path.dirname(scope_rules.__file__))
        answer = subprocess.run(
            [sys.executable, "-B", "-S", "-c", program],
            cwd=os.path.dirname(agent),
            env={},
            input=json.dumps([chosen.rules(), paths]),
            capture_output=True,
            text=True,
            check=True,
        )
        assert json.loads(answer.stdout) == [chosen.wants(path) for path in paths]
        assert json.loads(answer.stdout) == [True, False, True, False]
