"""Edits between versions: any set of them gives a version, and both ends exactly."""

from __future__ import annotations

from itertools import chain

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from stripe.changes.edits import Clash
from stripe.changes.granularity import groups_of
from stripe.changes.requirements import closure
from stripe.changes.snapshots import EXECUTABLE, FILE, LINK, SUBMODULE, Entry, History, Snapshot
from stripe.changes.universe import Universe
from stripe.errors import UsageError
from tests.changes.histories import history, snapshot, step, tree_of

TEXTS = st.lists(st.sampled_from(["a", "b", "c", "d", ""]), max_size=8).flatmap(
    lambda lines: st.sampled_from(["\n".join(lines), "".join(f"{line}\n" for line in lines)])
)
FILES = st.dictionaries(
    st.sampled_from(["one", "two", "in/three", "in/deep/four"]),
    st.one_of(
        TEXTS,
        st.tuples(st.sampled_from([FILE, EXECUTABLE, LINK]), TEXTS),
        st.sampled_from(["\0binary", "\0other"]),
    ),
    max_size=4,
)


@st.composite
def histories(draw: st.DrawFn) -> History:
    """A history with branches and merges, of which the last step is the bad version."""
    versions = draw(st.lists(FILES, min_size=2, max_size=6))
    steps = []
    for number, files in enumerate(versions[1:]):
        earlier = st.sets(st.integers(0, number - 1), max_size=3) if number else st.just(set())
        parents = draw(earlier)  # none: it comes after the root, beside the others
        steps.append(step(snapshot(files), sorted(parents), name=f"c{number}"))
    return History(snapshot(versions[0]), tuple(steps), "good", "bad", "")


@given(histories())
@settings(max_examples=150)
def test_every_version_of_a_history_comes_out_exactly(made: History) -> None:
    universe = Universe(made)
    assert universe.tree(()) == tree_of(made.root)
    above: list[set[int]] = []
    for number, each in enumerate(made.steps):
        above.append({number}.union(*(above[parent] for parent in each.parents)))
        chosen = [edit for edit in universe.deltas if universe.edits[edit].step in above[number]]
        assert universe.tree(chosen) == tree_of(each.snapshot)


@given(histories(), st.data())
@settings(max_examples=100)
def test_any_edits_give_a_version_or_say_why_not(made: History, data: st.DataObject) -> None:
    universe = Universe(made)
    chosen = data.draw(st.sets(st.sampled_from(universe.deltas))) if universe.deltas else set()
    closed = sorted(closure(chosen, universe.requires))
    try:
        tree = universe.tree(closed)
    except Clash:
        return
    for mode, content in tree.values():
        assert mode in (FILE, EXECUTABLE, LINK)
        if b"\0" not in content:
            assert set(content) <= set(b"abcd\n")


@given(histories())
@settings(max_examples=50)
def test_levels_are_partitions_each_finer_than_the_one_before(made: History) -> None:
    universe = Universe(made)
    for level in ("commit", "directory", "file", "function", "hunk", "statement", "line"):
        groups = groups_of(universe, universe.deltas, level)
        assert sorted(edit for group in groups for edit in group) == sorted(universe.deltas)


def test_what_only_the_good_version_has_is_taken_back() -> None:
    root = snapshot({"f": "1\n2\n3\n"})
    ours = step(snapshot({"f": "1\ngood\n3\n"}), side=-1)
    theirs = step(snapshot({"f": "1\n2\n3\nbad\n", "new": "x\n"}), side=1)
    universe = Universe(History(root, (ours, theirs), "good", "bad", ""))
    assert universe.tree(())["f"][1] == b"1\ngood\n3\n"
    assert "new" not in universe.tree(())
    assert universe.tree(universe.deltas)["f"][1] == b"1\n2\n3\nbad\n"
    (back,) = (edit for edit in universe.deltas if universe.edits[edit].step == 0)
    assert universe.tree((back,))["f"][1] == b"1\n2\n3\n"
    assert universe.texts(back) == ((b"2\n",), (b"good\n",))


@pytest.mark.parametrize("merged", ["ours\n", "theirs\n", "both\n", None])
def test_parents_of_a_merge_may_each_have_a_file_at_one_path(merged: str | None) -> None:
    root = snapshot({"f": "1\n"})
    ours = step(snapshot({"f": "1\n", "new": "ours\n"}))
    theirs = step(snapshot({"new": "theirs\n"}))
    bad = snapshot({"f": "1\n"} | ({} if merged is None else {"new": merged}))
    universe = Universe(History(root, (ours, theirs, step(bad, (0, 1))), "good", "bad", ""))
    assert universe.tree(()) == tree_of(root)
    assert universe.tree(universe.deltas) == tree_of(bad)


def test_a_file_goes_and_comes_back_under_the_path_of_another() -> None:
    lines = "".join(f"{number}\n" for number in range(9))
    root = snapshot({"f": lines, "g": "x\n"})
    gone = step(snapshot({"g": "x\n"}))
    back = step(snapshot({"f": "other\n", "g": "x\n"}), (0,))
    onto = step(snapshot({"f": "x\n"}), (0,))
    aside = step(snapshot({"f": lines + "9\n", "g": "x\n"}))
    bad = snapshot({"f": lines + "9\n", "h": "x\n"})
    steps = (gone, back, onto, aside, step(bad, (1, 2, 3)))
    universe = Universe(History(root, steps, "good", "bad", ""))
    assert universe.tree(()) == tree_of(root)
    assert universe.tree(universe.deltas) == tree_of(bad)


def test_an_edit_follows_its_file_to_its_new_name() -> None:
    lines = "".join(f"{number}\n" for number in range(10))
    universe = Universe(history({"old": lines}, {"new": lines.replace("5\n", "five\n")}))
    rename, edit = sorted(universe.deltas, key=lambda each: universe.edits[each].kind != "rename")
    assert universe.tree((edit,)) == {"old": (FILE, lines.replace("5\n", "five\n").encode())}
    assert universe.tree((rename,)) == {"new": (FILE, lines.encode())}


def test_a_mode_is_a_change_of_its_own() -> None:
    universe = Universe(history({"f": "1\n"}, {"f": (EXECUTABLE, "2\n")}))
    kinds = {universe.edits[edit].kind: edit for edit in universe.deltas}
    assert universe.tree((kinds["mode"],)) == {"f": (EXECUTABLE, b"1\n")}
    assert universe.tree((kinds["lines"],)) == {"f": (FILE, b"2\n")}


def test_a_line_is_not_changed_before_it_is_written() -> None:
    universe = Universe(history({"f": "1\n3\n"}, {"f": "1\n2\n3\n"}, {"f": "1\ntwo\n3\n"}))
    written, changed = universe.deltas
    assert universe.requires == {changed: {written}}
    assert universe.tree((written, changed)) == {"f": (FILE, b"1\ntwo\n3\n")}


def test_lines_of_a_file_that_ends_without_a_newline_stay_apart() -> None:
    universe = Universe(history({"f": "1"}, {"f": "1\n2"}))
    assert universe.tree(()) == {"f": (FILE, b"1")}
    assert universe.tree(universe.deltas) == {"f": (FILE, b"1\n2")}


def test_a_file_and_a_folder_of_one_name_clash() -> None:
    universe = Universe(history({"a": "1\n"}, {"a/b": "other\nthings\n"}))
    create = [edit for edit in universe.deltas if universe.edits[edit].kind != "delete"]
    with pytest.raises(Clash, match="a file and a folder"):
        universe.tree(create)
    assert universe.tree(universe.deltas) == {"a/b": (FILE, b"other\nthings\n")}


def test_a_changed_submodule_is_refused_by_name() -> None:
    before, after = (
        Snapshot({"lib": Entry(SUBMODULE, name), "f": Entry(FILE, "x")}, lambda name: b"")
        for name in ("1" * 40, "2" * 40)
    )
    with pytest.raises(UsageError, match="submodule 'lib'") as caught:
        Universe(History(before, (step(after),), "good", "bad", ""))
    assert caught.value.slug == "submodule-changed"
    assert Universe(History(before, (step(before),), "good", "bad", "")).deltas == ()


@pytest.mark.parametrize(("context", "hunks"), [(0, 2), (1, 2), (2, 1)])
def test_hunks_are_as_far_apart_as_their_context(context: int, hunks: int) -> None:
    old, new = "1\n2\n3\n4\n5\n6\n", "one\n2\n3\n4\nfive\n6\n"
    universe = Universe(history({"f": old}, {"f": new}), context)
    assert len(groups_of(universe, universe.deltas, "hunk")) == hunks


def test_a_line_takes_the_place_of_the_one_that_it_is_like() -> None:
    old = "start\nx = one(1)\ny = two(2)\nend\n"
    universe = Universe(history({"f": old}, {"f": "start\nfirst\nx = one(2)\ny = two(3)\nend\n"}))
    texts = {universe.texts(edit): universe.tree((edit,))["f"][1] for edit in universe.deltas}
    assert texts == {
        ((b"first\n",), ()): b"start\nfirst\nx = one(1)\ny = two(2)\nend\n",
        ((b"x = one(2)\n",), (b"x = one(1)\n",)): b"start\nx = one(2)\ny = two(2)\nend\n",
        ((b"y = two(3)\n",), (b"y = two(2)\n",)): b"start\nx = one(1)\ny = two(3)\nend\n",
    }


def test_statements_of_python_are_left_out_as_a_whole() -> None:
    old = '"""One.\n\nTwo.\n"""\nx = f(\n    1,\n)\n'
    new = '"""Uno.\n\nDue.\n"""\nx = f(\n    2,\n)\n# why\n'
    universe = Universe(history({"a.py": old}, {"a.py": new}))
    groups = groups_of(universe, universe.deltas, "statement")
    assert [sorted(b"".join(universe.texts(edit)[0]) for edit in group) for group in groups] == [
        [b'"""Uno.\n', b"Due.\n"], [b"    2,\n"], [b"# why\n"],
    ]  # fmt: skip
    whole = Universe(history({"a.py": old}, {"a.py": new}), context=9)
    sizes = sorted(map(len, groups_of(whole, whole.deltas, "statement")))
    assert sizes == [1, 1, 2]


def test_functions_are_told_by_the_syntax_of_the_language() -> None:
    python = "class A:\n    def f(self):\n        return 1\n\n\ndef g():\n    return 2\n"
    shell = "main() {\n    echo 1\n}\n"
    universe = Universe(
        history(
            {"a.py": python, "b.xyz": shell},
            {"a.py": python.replace("1", "3").replace("2", "4"), "b.xyz": shell.replace("1", "2")},
        )
    )
    assert [universe.function_of(edit) for edit in universe.deltas] == ["A.f", "g", "main"]


def test_a_function_that_comes_is_told_from_its_beginning() -> None:
    def function(name: str) -> str:
        return f"int {name}(int a)\n{{\n    a = {name};\n    return a;\n}}\n\n"

    one, new, two = map(function, ("one", "new", "two"))
    for before, after in ((one + two, one + new + two), (one + two, one + two + new)):
        for pair in (
            (before, after),
            (after, before),
            (f"{before.strip()}\n", f"{after.strip()}\n"),
        ):
            universe = Universe(history(*({"a.c": each} for each in pair)))
            texts = [b"".join(chain(*universe.texts(each))) for each in universe.deltas]
            assert b"".join(texts).decode().strip() == new.strip()
            assert len({universe.edits[each].hunk for each in universe.deltas}) == 1
