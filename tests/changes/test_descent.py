"""The search to begin with: one change after the other, by halving."""

from __future__ import annotations

import math

from stripe.campaign.campaign import Campaign
from stripe.changes.change_search import ChangeSearch
from stripe.changes.granularity import LEVELS
from stripe.changes.snapshots import Tree
from stripe.changes.trial import Verdict
from stripe.changes.universe import Universe
from stripe.dd import Outcome
from tests.changes.histories import history
from tests.changes.test_change_search import blamed, search_in

COMMITS = 64


def commits(*, new: str = "") -> Universe:
    """Many commits, each with a line in each of four files."""
    versions = [
        {f"f{file}": f"{new}{''.join(f'{file} {n}\n' for n in range(count))}" for file in range(4)}
        for count in range(COMMITS)
    ]
    return Universe(history({f"f{file}": "" for file in range(4)}, *versions))


def test_a_line_is_found_by_halving_and_tested_alone() -> None:
    def judge(tree: Tree) -> Outcome:
        return Outcome.FAIL if b"2 40\n" in tree["f2"][1] else Outcome.PASS

    search, campaign = search_in(commits(), judge)
    assert blamed(search) == {b"2 40\n"}
    assert campaign.certified
    halving = math.ceil(math.log2(COMMITS)) + 2
    assert campaign.tests - 2 <= halving + 1


def test_each_further_line_takes_one_more_halving() -> None:
    wanted = (b"1 5\n", b"2 40\n", b"3 22\n")

    def judge(tree: Tree) -> Outcome:
        text = b"".join(content for _, content in tree.values())
        return Outcome.FAIL if all(line in text for line in wanted) else Outcome.PASS

    search, campaign = search_in(commits(), judge)
    assert blamed(search) == set(wanted)
    assert campaign.certified
    halving = math.ceil(math.log2(COMMITS)) + 2
    proof = 2 * len(wanted)
    assert campaign.tests - 2 <= len(wanted) * (halving + 1) + proof


def test_where_most_versions_tell_nothing_the_levels_find_it() -> None:
    def judge(tree: Tree) -> Outcome:
        texts = [content for _, content in tree.values()]
        if len({text.count(b"\n") for text in texts}) > 1:
            return Outcome.UNRESOLVED
        return Outcome.FAIL if b"0 9\n" in texts[0] else Outcome.PASS

    search, campaign = search_in(commits(), judge)
    assert campaign.certified
    assert blamed(search) >= {b"0 9\n"}


def test_that_parts_of_what_passes_pass_is_no_part_of_the_proof() -> None:
    universe = Universe(history({"f": "a\nb\nc\n"}, {"f": "A\nB\nC\n"}))

    def judge(tree: Tree) -> Outcome:
        # With the first two it passes; with the first alone it fails.
        return Outcome.FAIL if tree["f"][1] in (b"A\nB\nC\n", b"A\nb\nc\n") else Outcome.PASS

    search, campaign = search_in(universe, judge)
    assert campaign.certified
    for edit in search.current:
        less = [each for each in search.current if each != edit]
        assert judge(universe.tree(less)) is not Outcome.FAIL


def test_what_a_descent_leaves_always_fails() -> None:
    universe = commits(new="new\n")

    def judge(tree: Tree) -> Outcome:
        there = [b"new\n" in content for _, content in tree.values()]
        if any(there) != all(there):
            return Outcome.UNRESOLVED
        return Outcome.FAIL if all(there) and b"3 30\n" in tree["f3"][1] else Outcome.PASS

    search, _ = search_in(universe, judge)
    assert judge(universe.tree(search.current)) is Outcome.FAIL


def test_the_levels_to_go_through_are_kept_to() -> None:
    universe = commits()

    def look(tree: Tree, key: object) -> Verdict:
        return Verdict(Outcome.FAIL if b"2 40\n" in tree["f2"][1] else Outcome.PASS)

    search = ChangeSearch(universe, look, Campaign())
    search.descend(LEVELS[:1])
    assert blamed(search) == {f"{file} 40\n".encode() for file in range(4)}


def test_where_halves_tell_nothing_each_file_is_tried_alone_before_any_is_left_out() -> None:
    """More than two new files together do not build, whatever they are; nobody says why."""
    count = 20
    files = [{f"f{n}": f"{what} {n}\n" for n in range(count)} for what in ("old", "new")]
    universe = Universe(history(*files))

    def judge(tree: Tree) -> Outcome:
        new = sum(content.startswith(b"new") for _, content in tree.values())
        if 2 < new < count:
            return Outcome.UNRESOLVED
        return Outcome.FAIL if tree["f13"][1] == b"new 13\n" else Outcome.PASS

    search, campaign = search_in(universe, judge)
    assert blamed(search) == {b"new 13\n"}
    assert campaign.certified
    assert campaign.tests - 2 <= 4 + count
