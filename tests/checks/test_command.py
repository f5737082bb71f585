"""``cmd:``: a command judges the run."""

from __future__ import annotations

import uuid
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

import pytest

from stripe.backend import End, Observation
from stripe.checks import parse_check
from stripe.checks.command import CommandPart
from stripe.dd import Outcome
from stripe.errors import NotReducible, UsageError
from stripe.sandbox import places
from stripe.sandbox.walls import Layer
from tests.support.fake import observation
from tests.support.layers import WALLED, forced


@pytest.fixture
def run(tmp_path: Path) -> Observation:
    return observation(b"hello\n", stderr=b"warning\n", status=3, directory=tmp_path)


@pytest.mark.parametrize(
    ("command", "outcome"),
    [
        ("exit 0", Outcome.FAIL),
        ("exit 1", Outcome.PASS),
        ("exit 125", Outcome.UNRESOLVED),
        ("kill -9 $$", Outcome.PASS),
        ('grep -q hello "$STRIPE_STDOUT"', Outcome.FAIL),
        ('grep -q warning "$STRIPE_STDERR"', Outcome.FAIL),
        ('test "$STRIPE_STATUS" = 3', Outcome.FAIL),
        ('test "$STRIPE_DIRECTORY" -ef .', Outcome.FAIL),
        ("read line", Outcome.PASS),  # nothing to read
    ],
)
def test_the_exit_status_is_the_answer(command: str, outcome: Outcome, run: Observation) -> None:
    assert CommandPart("cmd", command).judge(run) is outcome


def test_a_signal_is_told_as_a_shell_tells_it(run: Observation) -> None:
    died = replace(run, end=End.SIGNAL, status=11)
    assert CommandPart("cmd", 'test "$STRIPE_STATUS" = 139').judge(died) is Outcome.FAIL


def test_a_command_that_hangs_is_ended_with_all_it_started(
    run: Observation, tmp_path: Path
) -> None:
    nap = f"sleep 60.{uuid.uuid4().int % 10**9}"
    # A process that is soon started on an idle machine, and one that is started in any case.
    command = f"{nap} & touch {tmp_path}/started; exec sleep 600"
    while not (tmp_path / "started").exists():
        assert CommandPart("cmd", command, timeout=0.3).judge(run) is Outcome.UNRESOLVED
        assert not alive(nap)


def test_what_a_command_leaves_running_is_ended_and_not_waited_for(
    run: Observation, tmp_path: Path
) -> None:
    nap = f"sleep 60.{uuid.uuid4().int % 10**9}"
    assert CommandPart("cmd", f"{nap} & (setsid {nap} &)").judge(run) is Outcome.FAIL
    assert not alive(nap)


def alive(words: str) -> bool:
    """Whether a process with this command line is running."""
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        with suppress(OSError):
            if path.read_bytes().replace(b"\0", b" ").decode().strip() == words:
                return True
    return False


@pytest.mark.parametrize(
    ("command", "says"),
    [
        ("echo because >&2; exit 1", "because"),
        ("no-such-command-here", "not found"),
        ("exit 125", "125"),
    ],
)
def test_the_command_must_say_yes_to_the_recorded_run(
    command: str, says: str, run: Observation
) -> None:
    with pytest.raises(NotReducible, match=says) as caught:
        parse_check(f"cmd:{command}").reference(run)
    assert caught.value.slug == "never-matches"


def test_a_command_too_slow_for_the_recorded_run_is_refused(run: Observation) -> None:
    with pytest.raises(NotReducible) as caught:
        CommandPart("cmd", "sleep 60", timeout=0.2).reference(run)
    assert caught.value.slug == "check-timeout"


# --- in a sandbox ---------------------------------------------------------------------------------


@pytest.fixture(params=WALLED, ids=[layer.value for layer in WALLED])
def layer(request: pytest.FixtureRequest) -> Iterator[Layer]:
    with forced(request.param) as layer:
        yield layer


@pytest.fixture
def scratch(tmp_path: Path) -> Iterator[Path]:
    """The scratch directory of a run."""
    folder = tmp_path / "scratch"
    folder.mkdir()
    yield folder
    places.end_below(folder)


def judge(command: str, directory: Path) -> Outcome:
    return CommandPart("cmd", command).judge(observation(b"hello\n", directory=directory))


def test_nothing_outside_changes(layer: Layer, scratch: Path, tmp_path: Path) -> None:
    precious = tmp_path / "precious"
    precious.write_text("precious\n")
    harm = f"rm -f {precious}; echo x > {precious}; echo x > {tmp_path}/new; touch mine"
    assert judge(f"({harm}) 2>/dev/null; exit 0", scratch) is Outcome.FAIL
    assert precious.read_text() == "precious\n"
    assert not (tmp_path / "new").exists()
    assert (scratch / "mine").exists()
    assert judge(f"test -e {tmp_path}/new || test $(cat {precious}) != precious", scratch) is (
        Outcome.PASS
    )


NAMES = ("STRIPE_STDOUT", "STRIPE_STDERR", "TMPDIR")


def test_its_own_files_cannot_be_used_against_us(
    layer: Layer, scratch: Path, tmp_path: Path
) -> None:
    precious = tmp_path / "precious"
    precious.write_text("precious\n")
    trick = "; ".join(f'rm -rf "${name}"; ln -s {precious} "${name}"' for name in NAMES)
    assert judge(f"({trick}) 2>/dev/null; exit 0", scratch) is Outcome.FAIL
    assert judge('grep -q hello "$STRIPE_STDOUT" && test -d "$TMPDIR"', scratch) is Outcome.FAIL
    assert precious.read_text() == "precious\n"


def test_a_launcher_serves_a_directory_until_it_goes_away(
    layer: Layer, scratch: Path, tmp_path: Path
) -> None:
    for _ in range(2):
        assert judge("echo x > $TMPDIR/y && test $(ls $TMPDIR | wc -l) = 1", scratch) is (
            Outcome.FAIL
        )
    with places.outlook(scratch, layer) as first:
        pass
    with places.outlook(scratch, layer) as second:
        assert second is first
    scratch.rename(tmp_path / "other")
    scratch.mkdir()
    (scratch / "new").touch()
    assert judge("test -e new && : > newer", scratch) is Outcome.FAIL
    assert (scratch / "newer").exists()
    assert not first.folder.exists()


def test_several_at_once(layer: Layer, tmp_path: Path) -> None:
    folders = [tmp_path / str(number) for number in range(4)]
    for folder in folders:
        folder.mkdir()
    with ThreadPoolExecutor(4) as pool:
        runs = [
            pool.submit(judge, f'test "$PWD" = {folder} && : > mine && sleep 0.1', folder)
            for folder in folders * 3
        ]
        assert [run.result() for run in runs] == [Outcome.FAIL] * 12
    assert all((folder / "mine").exists() for folder in folders)
    places.end_below(tmp_path)


def test_without_a_sandbox_it_has_to_be_wanted(scratch: Path) -> None:
    with forced(Layer.NONE):
        with pytest.raises(UsageError) as caught:
            judge("exit 0", scratch)
        assert caught.value.slug == "no-sandbox"
        check = parse_check("cmd:exit 0", unsafe=True)
        recorded = observation(b"hello\n", directory=scratch)
        assert check.reference(recorded).judge(recorded) is Outcome.FAIL
