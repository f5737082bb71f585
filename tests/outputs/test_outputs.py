"""Outputs: what they may not overwrite, how they are written, and what happens when they cannot."""

from __future__ import annotations

import os
import stat
import subprocess
import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from stripe.errors import UsageError
from stripe.files import replace_file
from stripe.outputs import Output, claim, complain, save
from stripe.outputs.improvement import Writer
from tests.support.patience import PATIENCE


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A working directory, and caches and temporary files of its own."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "caches"))
    (tmp_path / "tmp").mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "tmp"))
    work = tmp_path / "work"
    work.mkdir()
    monkeypatch.chdir(work)
    return work


def output(target: str, kind: str = "result", option: str = "--json") -> Output:
    return Output(option, target, kind)


def refused(slug: str, outputs: list[Output], *reads: str, force: bool = True) -> str:
    with pytest.raises(UsageError) as caught:
        claim(outputs, [("what is read", each) for each in reads], force=force)
    assert caught.value.slug == slug
    assert caught.value.hint
    return caught.value.message


# --- what is read


@pytest.mark.parametrize("name", ["p.py", "./p.py", "sub/../p.py", "{here}/p.py", "hard", "soft",
                                  "/proc/self/cwd/p.py", "folder/p.py"])  # fmt: skip
def test_no_name_of_what_is_read_is_an_output(here: Path, name: str) -> None:
    Path("p.py").write_text("print(1)\n")
    Path("sub").mkdir()
    os.link("p.py", "hard")
    Path("soft").symlink_to("p.py")
    Path("folder").symlink_to(here)
    assert "what is read" in refused("output-is-input", [output(name.format(here=here))], "p.py")


def test_what_is_read_by_another_name(here: Path) -> None:
    Path("p.py").write_text("print(1)\n")
    Path("soft").symlink_to("p.py")
    refused("output-is-input", [output("p.py")], "soft")


def test_a_pipe_that_is_read(here: Path) -> None:
    os.mkfifo("pipe")
    refused("output-is-input", [output("pipe")], "pipe")
    claim([output("pipe")], [])


def test_an_open_file_that_is_read(here: Path) -> None:
    Path("p.py").write_text("print(1)\n")
    with open("p.py", "a") as file:
        refused("output-is-input", [output(f"/dev/fd/{file.fileno()}")], "p.py")


def test_what_is_closed_is_nobodys(here: Path) -> None:
    closed = os.dup(1)
    os.close(closed)
    claim([output("found.json")], [("standard input", closed)])


def test_a_name_nobody_chose_makes_way_for_what_is_read(here: Path) -> None:
    one = Output("--output", "s.reduced.txt", "answer", chosen=True)
    claim([one], [])
    one.write(b"ours")
    two = Output("--output", "s.reduced.txt", "answer", chosen=True)
    notes = claim([two], [("what is read", "s.reduced.txt")])
    assert two.target == "s.reduced-2.txt"
    assert "'s.reduced-2.txt'" in notes[0]


# --- other outputs


@pytest.mark.parametrize(
    "names",
    [("x", "x"), ("x", "./x"), ("-", "-"), ("-", "/dev/stdout"), ("soft", "target"),
     ("hard1", "hard2"), ("pipe", "pipe")],
)  # fmt: skip
def test_outputs_have_a_place_each(here: Path, names: tuple[str, str]) -> None:
    Path("soft").symlink_to("target")
    Path("hard1").write_text("x")
    os.link("hard1", "hard2")
    os.mkfifo("pipe")
    message = refused("outputs-collide", [output(names[0]), output(names[1], "page", "--html")])
    assert "--html" in message
    assert "--json" in message


def test_the_null_device_is_nobodys() -> None:
    claim([output("/dev/null"), output("/dev/null", "page", "--html")], [("it", "/dev/null")])


# --- what is there already


def test_what_is_there_is_kept_unless_forced(here: Path) -> None:
    Path("x.json").write_text("mine")
    refused("output-exists", [output("x.json")], force=False)
    one = output("x.json")
    claim([one], [], force=True)
    one.write(b"new")
    assert Path("x.json").read_text() == "new"


def test_an_empty_file_may_mean_something(here: Path) -> None:
    Path("__init__.py").touch()
    refused("output-exists", [output("__init__.py")], force=False)


def written(name: str, kind: str = "result") -> None:
    one = output(name, kind)
    claim([one], [])
    one.write(b"ours")


def test_what_we_wrote_is_replaced(here: Path) -> None:
    written("x.json")
    written("./x.json")
    with pytest.raises(UsageError, match="not what stripe wrote"):
        written("x.json", "page")  # a slip: this was another option's


def test_what_was_changed_since_is_not_ours(here: Path) -> None:
    written("x.json")
    Path("x.json").write_text("ours, and a note")
    refused("output-exists", [output("x.json")], force=False)


def test_a_copy_of_ours_elsewhere_is_not_ours(here: Path) -> None:
    written("x.json")
    Path("copy.json").write_bytes(Path("x.json").read_bytes())
    refused("output-exists", [output("copy.json")], force=False)


def test_without_a_memory_nothing_is_ours(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", "/proc/nowhere")
    written("x.json")
    refused("output-exists", [output("x.json")], force=False)


def test_names_that_nobody_chose_get_the_same_number(here: Path) -> None:
    for name in ("s.failing.txt", "s.passing-2.txt"):
        Path(name).write_text("mine")
    pair = [Output("--output", f"s.{word}.txt", "answer", chosen=True)
            for word in ("failing", "passing")]  # fmt: skip
    claim(pair, [])
    assert [each.target for each in pair] == ["s.failing-3.txt", "s.passing-3.txt"]


def test_a_link_that_leads_nowhere_is_not_followed_unasked(here: Path) -> None:
    Path("s.reduced.txt").symlink_to("gone")
    one = Output("--output", "s.reduced.txt", "answer", chosen=True)
    claim([one], [])
    assert one.target == "s.reduced-2.txt"


def test_what_came_there_meanwhile_is_kept(here: Path) -> None:
    one = output("x.json")
    claim([one], [])
    Path("x.json").write_text("mine")
    assert "'x-2.json'" in one.write(b"first")
    assert one.write(b"second") == ""
    assert Path("x.json").read_text() == "mine"
    assert Path("x-2.json").read_text() == "second"


def test_what_was_changed_meanwhile_is_kept(here: Path) -> None:
    one = output("x.json")
    claim([one], [])
    one.write(b"first")
    Path("x.json").write_text("mine, made of the first")
    one.write(b"second")
    assert Path("x.json").read_text() == "mine, made of the first"
    assert Path("x-2.json").read_text() == "second"


# --- writing


def test_permissions_are_those_of_the_file_replaced_or_of_a_new_one(here: Path) -> None:
    mask = os.umask(0o027)
    try:
        replace_file(Path("new"), b"")
    finally:
        os.umask(mask)
    Path("old").write_text("old")
    Path("old").chmod(0o604)
    replace_file(Path("old"), b"new")
    assert stat.S_IMODE(Path("new").stat().st_mode) == 0o640
    assert stat.S_IMODE(Path("old").stat().st_mode) == 0o604


def test_a_link_stays_a_link(here: Path) -> None:
    Path("link").symlink_to("real")
    replace_file(Path("link"), b"new")
    assert Path("link").is_symlink()
    assert Path("real").read_bytes() == b"new"
    assert sorted(os.listdir()) == ["link", "real"]


def test_the_longest_names_can_be_written(here: Path) -> None:
    replace_file(Path("x" * 255), b"new")
    assert os.listdir() == ["x" * 255]


def test_a_failure_leaves_all_as_it_was(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    Path("x").write_text("old")

    def full(self: Path, target: Path) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "replace", full)
    with pytest.raises(OSError, match="No space"):
        replace_file(Path("x"), b"new")
    assert os.listdir() == ["x"]
    assert Path("x").read_text() == "old"


def test_what_cannot_be_written_is_refused_early() -> None:
    free = os.open(os.devnull, os.O_RDONLY)
    os.close(free)
    for name, says in (
        (".", "directory"),
        ("no/x", "no directory 'no'"),
        (f"/dev/fd/{free}", "Nothing is open"),
    ):
        assert says in refused("cannot-write", [output(name)])


def test_standard_output(capsys: pytest.CaptureFixture[str]) -> None:
    for name in ("-", "/dev/stdout"):
        one = output(name)
        claim([one], [])
        assert one.standard
        one.write(b'{"a":1}\n')
        assert capsys.readouterr().out == '{"a":1}\n'


def test_a_pipe_is_written_to(here: Path) -> None:
    os.mkfifo("pipe")
    one = output("pipe")
    claim([one], [])
    seen: list[bytes] = []
    reader = threading.Thread(target=lambda: seen.append(Path("pipe").read_bytes()))
    reader.start()
    one.write(b"x" * 200_000)
    reader.join()
    assert seen == [b"x" * 200_000]
    assert stat.S_ISFIFO(os.stat("pipe").st_mode)


def test_a_result_is_never_lost(here: Path) -> None:
    one = output("/dev/full")
    claim([one], [])
    _, loss = save(one, b"result")
    assert loss is not None
    assert loss.kept is not None
    assert loss.kept.read_bytes() == b"result"
    with pytest.raises(UsageError, match="No space left") as caught:
        complain([loss])
    assert str(loss.kept) in caught.value.hint


# --- answers, while the search goes on


def test_an_answer_is_written_as_soon_as_there_is_room(
    here: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("stripe.outputs.improvement.RETRY", 0.01)
    told: list[str] = []
    tried, room = threading.Event(), threading.Event()
    done = threading.Event()

    def write(path: Path, data: bytes) -> None:
        tried.set()
        if not room.is_set():
            raise OSError(28, "No space left on device")
        replace_file(path, data)
        done.set()

    monkeypatch.setattr("stripe.outputs.output.replace_file", write)
    one = Output("--output", "answer", "answer")
    claim([one], [])
    with Writer([one], "min", told.append) as writer:
        writer.improved(b"better", True)
        assert tried.wait(PATIENCE)
        room.set()
        assert done.wait(PATIENCE), "it was not tried again"
        assert Path("answer").read_bytes() == b"better"
    assert len(told) == 1
    assert "No space left" in told[0]
    assert writer.left == []


def test_what_found_no_room_is_left_in_the_end(here: Path) -> None:
    Path("folder").mkdir()
    one = Output("--output", "folder/answer", "answer")
    claim([one], [])
    Path("folder").rmdir()
    with Writer([one], "min") as writer:
        writer.improved(b"good", True)
        writer.improved(b"better", True)
    assert writer.left == [(one, b"better")]


def test_a_pipe_gets_the_last_answer_only(here: Path) -> None:
    one = Output("--output", "-", "answer")
    claim([one], [])
    with Writer([one], "min") as writer:
        writer.improved(b"good", True)
        writer.improved(b"better", True)
    assert writer.left == [(one, b"better")]


def test_what_takes_time_is_made_beside_the_search_and_only_the_latest(tmp_path: Path) -> None:
    """While the first one is made, others come: of these nobody will see but the last one."""
    one = Output("--output", str(tmp_path / "answer"), "answer")
    claim([one], [])
    begun, go_on = threading.Event(), threading.Event()
    made: list[tuple[str, threading.Thread]] = []

    def making(text: str) -> Callable[[], bytes]:
        def make() -> bytes:
            made.append((text, threading.current_thread()))
            begun.set()
            assert go_on.wait(PATIENCE)
            return text.encode()

        return make

    with Writer([one], "min") as writer:
        writer.improved(making("good"), True)
        assert begun.wait(PATIENCE)
        for text in ("better", "nearly best", "best"):
            writer.improved(making(text), True)
        go_on.set()
    assert (tmp_path / "answer").read_bytes() == b"best"
    assert [text for text, _ in made] == ["good", "best"]
    assert threading.current_thread() not in [thread for _, thread in made]


def test_what_cannot_be_made_now_is_made_later(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("stripe.outputs.improvement.RETRY", 0.01)
    one = Output("--output", str(tmp_path / "answer"), "answer")
    claim([one], [])
    tries = 0

    def make() -> bytes:
        nonlocal tries
        tries += 1
        if tries == 1:
            raise subprocess.CalledProcessError(128, "git")
        return b"good"

    with Writer([one], "min") as writer:
        writer.improved(make, True)
    for output, content in writer.left:
        output.write(content() if callable(content) else content)
    assert (tmp_path / "answer").read_bytes() == b"good"
