"""What backends are made of: slots, paths, engines that end, a conversation in JSON."""

from __future__ import annotations

import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from stripe.backend import Target
from stripe.kit.conversation import Conversation
from stripe.kit.engines import Engines, Facts, Gone
from stripe.kit.paths import Paths, below
from stripe.kit.slots import Slots
from stripe.sandbox.workspace import Workspace
from tests.support.patience import PATIENCE


@pytest.fixture
def workspace(tmp_path: Path) -> Iterator[Workspace]:
    folder = tmp_path / "work"
    folder.mkdir()
    (folder / "file").write_text("mine")
    with Workspace(folder, 2) as made:
        yield made


def test_a_slot_is_restored_after_use(workspace: Workspace):
    slots = Slots(workspace)
    slots.give([1])
    slots.give([0])  # once is enough
    with slots.one() as use:
        (workspace.slot(use.number).directory / "file").write_text("its")
    with slots.one() as use:
        assert use.number == 1
        assert (workspace.slot(1).directory / "file").read_text() == "mine"


def test_a_slot_that_nobody_wrote_in_is_left_alone(workspace: Workspace):
    slots = Slots(workspace)
    slots.give([0])
    with slots.one() as use:
        (workspace.slot(0).directory / "more").touch()
        use.dirty = False
    assert (workspace.slot(0).directory / "more").exists()


def test_a_slot_is_dealt_out_once_it_has_been_warmed(workspace: Workspace):
    slots = Slots(workspace)
    warm, warmed = threading.Event(), []

    def start(number: int) -> None:
        assert warm.wait(PATIENCE)
        warmed.append(number)
        raise Gone("agent-failed", "It is missed by who needs it.")

    slots.warm([1], start)
    slots.give([1, 0])
    with slots.one() as first:
        assert (first.number, warmed) == (0, [])
        warm.set()
        with slots.one() as second:
            assert (second.number, warmed) == (1, [1])
    slots.warm([0], start)  # once is enough
    assert warmed == [1]


def test_a_slot_that_was_warmed_early_is_dealt_out_in_its_turn(workspace: Workspace):
    slots = Slots(workspace)
    slots.warm([1], lambda number: None)
    while slots._warming:
        threading.Event().wait(0.001)
    slots.give([1, 0])
    with slots.one() as first, slots.one() as second:
        assert (first.number, second.number) == (1, 0)


def test_one_at_a_time_all_are_in_one_slot(workspace: Workspace):
    """What has been started for it need not be started for others."""
    slots = Slots(workspace)
    slots.give([1, 0])
    with slots.one() as first, slots.one() as second:
        assert (first.number, second.number) == (1, 0)
    for _ in range(3):
        with slots.one() as use:
            assert use.number == 1  # it came back last


@pytest.mark.parametrize(
    ("changed", "live", "dealt", "left"),
    [((), False, 1, 0), (("out.txt",), False, 0, 1), ((), True, 0, 1)],
)
def test_a_slot_whose_run_changed_no_file_is_used_again(
    workspace: Workspace, changed: tuple[str, ...], live: bool, dealt: int, left: int
):
    """What runs there has been started; the other one shows what it has left: nothing."""
    slots = Slots(workspace)
    target = Target("program", directory=workspace.directory, live=live)
    assert slots.give_after(target, changed) == left
    with slots.one() as use:
        assert use.number == dealt


def test_paths_are_translated_both_ways(workspace: Workspace):
    paths, slot = Paths(workspace), workspace.slot(1)
    mine, copy = str(workspace.directory / "file"), str(slot.inside / "file")
    assert paths.copy(slot, mine) == copy
    assert paths.copy(slot, "/etc/hosts") == "/etc/hosts"
    assert paths.arguments(slot, ["file", mine, "-x"]) == ["file", copy, "-x"]
    assert paths.relative(1, copy) == "file"
    assert paths.relative(1, "/etc/hosts") == "/etc/hosts"
    assert paths.absolute(1, "file") == copy


def test_a_folder_is_not_below_one_whose_name_it_begins_with():
    assert below("/a/b", "/a/bc") is None
    assert below("/", "/a") == "a"


class Scripted:
    """An engine whose answers are known; ``None``: it ends."""

    def __init__(self, *answers: Facts | None) -> None:
        self.answers = list(answers)
        self.closed = self.cancelled = False

    def ask(self) -> Facts:
        answer = self.answers.pop(0)
        if answer is None:
            raise Gone("test", "It has ended.")
        return answer

    def cancel(self) -> None:
        self.cancelled = True

    def close(self) -> None:
        self.closed = True


def test_a_new_engine_is_asked_if_one_ends():
    made = [Scripted({"end": 1}, None), Scripted({"end": 2})]
    waiting, restored = list(made), list[int]()
    engines = Engines(lambda key: waiting.pop(0), restored.append)
    assert engines.ask(7, Scripted.ask) == {"end": 1}
    assert engines.ask(7, Scripted.ask) == {"end": 2}
    assert restored == [7]
    assert [each.closed for each in made] == [True, False]


def test_a_run_that_ends_each_of_them_is_told():
    engines: Engines[int, Scripted] = Engines(lambda key: Scripted(None), lambda key: None)
    assert engines.ask(0, Scripted.ask) is None


def test_an_engine_that_has_replayed_nothing_else_is_as_good_as_new():
    made: list[Scripted] = []

    def start(key: int) -> Scripted:
        made.append(Scripted(*[{}] * 9))
        return made[-1]

    engines = Engines(start, lambda key: None)

    def renewed(events: list[int]) -> bool:
        """Whether another engine is asked."""
        before = len(made)
        engines.renew(0, events)
        engines.ask(0, Scripted.ask, events)
        return len(made) > before

    assert [renewed([1, 2]), renewed([1, 2]), renewed([1])] == [True, False, True]
    engines.ask(1, Scripted.ask, [7])  # in another slot
    assert not renewed([1])
    engines.ask(0, Scripted.ask, [2])
    assert renewed([1])
    engines.ask(0, Scripted.ask)  # nobody says what it runs
    assert renewed([1])
    assert [each.closed for each in made] == [True, True, False, True, False]


def test_an_engine_that_cannot_be_started_is_an_error():
    def start(key: int) -> Scripted:
        raise Gone("test", "There is none.")

    with pytest.raises(Gone):
        Engines(start, lambda key: None).ask(0, Scripted.ask)


def test_the_replay_of_some_events_can_be_cancelled():
    engine = Scripted()
    engines: Engines[int, Scripted] = Engines(lambda key: engine, lambda key: None)

    def question(asked: Scripted) -> Facts:
        engines.cancel([1, 2])
        assert not asked.cancelled
        engines.cancel([1])
        return {"end": "cancelled"}

    engines.ask(0, question, [1])
    assert engine.cancelled
    engine.cancelled = False
    engines.cancel([1])  # it is over
    assert not engine.cancelled


def speak(script: str) -> tuple[Conversation, subprocess.Popen[bytes]]:
    process = subprocess.Popen(
        [sys.executable, "-c", "import json, sys\n" + script],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    )
    late = {True: "late", False: "ended"}
    return Conversation(process, lambda how: Gone("test", late[how])), process


def test_requests_are_answered_line_by_line():
    conversation, process = speak(
        "for line in sys.stdin: print(json.dumps({'got': json.loads(line)}), flush=True)"
    )
    with process:
        assert conversation.ask({"n": 1}, 60) == {"got": {"n": 1}}
        assert conversation.ask({"n": [2, "ü"]}, 60) == {"got": {"n": [2, "ü"]}}


def test_one_that_has_ended_is_gone():
    conversation, process = speak("sys.stdin.readline()")
    with process, pytest.raises(Gone, match="ended"):
        conversation.ask({}, 60)


def test_a_request_is_cancelled_while_it_is_waited_for():
    conversation, process = speak(
        "asked = sys.stdin.readline(); print('{}', flush=True); print(sys.stdin.readline())"
    )
    with process:
        conversation.cancel()  # nobody waits
        answers = []
        asking = threading.Thread(target=lambda: answers.append(conversation.ask({}, 60)))
        asking.start()
        asking.join()
        assert answers == [{}]
        conversation.say({"request": "over"})
        assert conversation.line(60) == '{"request": "over"}'
