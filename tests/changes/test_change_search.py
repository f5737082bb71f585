"""The search for the changes to blame, with tests that are functions."""

from __future__ import annotations

import random
from collections.abc import Callable

import pytest

from benchmarks import changes as made_up
from stripe.campaign.campaign import Campaign
from stripe.changes.change_search import ChangeSearch
from stripe.changes.granularity import LEVELS, groups_of
from stripe.changes.grouped import Grouped
from stripe.changes.snapshots import Tree
from stripe.changes.trial import Verdict
from stripe.changes.universe import Universe
from stripe.dd import ALGORITHMS, Outcome
from tests.changes.histories import history


def search_in(
    universe: Universe, judge: Callable[[Tree], Verdict | Outcome], algorithm: str = "auto"
) -> tuple[ChangeSearch, Campaign]:
    """All levels, and the certificate."""

    def look(tree: Tree, key: object) -> Verdict:
        found = judge(tree)
        return found if isinstance(found, Verdict) else Verdict(found)

    campaign = Campaign()
    search = ChangeSearch(universe, look, campaign, algorithm=algorithm)
    search.learn_ends()
    if algorithm == "auto":
        search.descend(LEVELS)
    for level in LEVELS:
        search.narrow(level)
    search.certify(LEVELS)
    return search, campaign


def blamed(search: ChangeSearch) -> set[bytes]:
    """The lines that the answer adds."""
    return {text for edit in search.current for text in search.universe.texts(edit)[0]}


LINES = [f"line {number}\n" for number in range(40)]


def changed(*numbers: int) -> str:
    """The lines, some of them other ones."""
    return "".join(
        line.replace("line", "new") if number in numbers else line
        for number, line in enumerate(LINES)
    )


@pytest.mark.parametrize("algorithm", ["auto", *ALGORITHMS])
def test_two_lines_that_interfere_are_found(algorithm: str) -> None:
    universe = Universe(history({"f": changed()}, {"f": changed(*range(0, 40, 3))}))

    def judge(tree: Tree) -> Outcome:
        text = tree["f"][1]
        return Outcome.FAIL if b"new 3\n" in text and b"new 30\n" in text else Outcome.PASS

    search, campaign = search_in(universe, judge, algorithm)
    assert blamed(search) == {b"new 3\n", b"new 30\n"}
    assert campaign.certified


def test_what_a_failed_build_complains_of_is_tried_together() -> None:
    old = {"lib.c": "f(a)\n" + changed(), "main.c": "f(1)\n" + changed()}
    new = {"lib.c": "f(a, b)\n" + changed(7), "main.c": "f(1, 2)\n" + changed(5)}
    universe = Universe(history(old, new))
    complaints = 0

    def judge(tree: Tree) -> Verdict:
        nonlocal complaints
        texts = [content for _, content in tree.values()]
        if (b"f(a, b)\n" in texts[0]) != (b"f(1, 2)\n" in texts[1]):
            complaints += 1
            return Verdict(Outcome.UNRESOLVED, "", b"error: too few arguments to function 'f'")
        return Verdict(Outcome.FAIL if b"f(1, 2)\n" in texts[1] else Outcome.PASS)

    search, campaign = search_in(universe, judge)
    assert blamed(search) == {b"f(a, b)\n", b"f(1, 2)\n"}
    assert campaign.certified
    # Once for the search, and for each single removal.
    assert complaints <= 3


def test_versions_that_cannot_be_parsed_are_not_tested() -> None:
    old = "def f():\n    return 1\n\n\ndef g():\n    return 1\n"
    new = "def f():\n    return (\n        2\n    )\n\n\ndef g():\n    return 2\n"
    universe = Universe(history({"a.py": old}, {"a.py": new}))

    def judge(tree: Tree) -> Outcome:
        names: dict[str, Callable[[], int]] = {}
        exec(compile(tree["a.py"][1], "a.py", "exec"), names)  # raises if it cannot be parsed
        return Outcome.FAIL if names["f"]() == 2 else Outcome.PASS

    search, campaign = search_in(universe, judge)
    assert blamed(search) == {b"    return (\n", b"        2\n", b"    )\n"}
    assert search.predicted
    assert campaign.certified


def test_the_answer_is_one_minimal_whatever_the_test_says() -> None:
    for seed in range(20):
        draw = random.Random(seed)
        universe = Universe(history({"f": changed()}, {"f": changed(*range(0, 40, 4))}))
        texts = sorted(b"".join(universe.texts(edit)[0]) for edit in universe.deltas)
        wanted = draw.sample(texts, draw.randint(1, 3))
        other = draw.sample(texts, 2)

        def judge(tree: Tree, wanted: list[bytes] = wanted, other: list[bytes] = other) -> Outcome:
            text = tree["f"][1]
            if (other[0] in text) != (other[1] in text):
                return Outcome.UNRESOLVED
            return Outcome.FAIL if all(each in text for each in wanted) else Outcome.PASS

        search, campaign = search_in(universe, judge)
        assert campaign.certified
        assert judge(universe.tree(search.current)) is Outcome.FAIL
        for edit in search.current:
            less = [each for each in search.current if each != edit]
            assert judge(universe.tree(less)) is not Outcome.FAIL


def test_histories_as_large_as_a_small_part_of_the_papers() -> None:
    count, _ = made_up.tests_for(*made_up.ddd(1, 30, 60))
    assert count <= 12
    count, _ = made_up.tests_for(*made_up.gdb(0, 150, 1))
    assert count <= 30


def test_versions_of_the_history_are_tested_as_they_are_before_all_else() -> None:
    """Commit by commit, others use another name: no part of a commit makes a version that runs."""
    count, guilty = 32, 21

    def version(number: int) -> dict[str, str]:
        files = {f"m{each}": f"calls name{number}\n" for each in range(count)}
        return files | {"wrong": "yes\n" if number >= guilty else "no\n"}

    universe = Universe(history(*map(version, range(count + 1))))

    def judge(tree: Tree) -> Verdict:
        called = {content for path, (_, content) in tree.items() if path != "wrong"}
        if len(called) > 1:
            name = max(called).split()[1]
            return Verdict(Outcome.UNRESOLVED, "", b"NameError: name '%s' is not defined" % name)
        return Verdict(Outcome.FAIL if tree["wrong"][1] == b"yes\n" else Outcome.PASS)

    search, campaign = search_in(universe, judge)
    history_level = search.levels[0]
    assert (history_level.name, history_level.before, history_level.after) == ("history", count, 1)
    assert history_level.tests <= 5
    assert blamed(search) == {b"yes\n"}
    assert campaign.certified
    heard = [entry.outcome for entry in search.log.entries if entry.level == "history"]
    assert heard
    assert Outcome.UNRESOLVED not in heard


def test_a_module_that_a_failed_test_misses_comes_with_its_file() -> None:
    """No line of a new file need have the file's name."""
    lines = "".join(f"x{number} = {number}\n" for number in range(40))
    before = {"main.py": f"y = 1\n{lines}", **{f"o{n}.py": "a = 1\n" for n in range(12)}}
    after = {"main.py": f"y = 2\n{lines}import parts.extra\n", "parts/extra.py": "z = 1\n"}
    after |= {f"o{number}.py": "a = 2\n" for number in range(12)}
    universe = Universe(history(before, after))
    step = Grouped(_tests_of(universe), groups_of(universe, universe.deltas, "file"))
    main, extra = (
        next(n for n, group in enumerate(step.groups) if universe.path_of(group[0]) == path)
        for path in ("main.py", "parts/extra.py")
    )
    assert step.close((main,)) == (main,)
    assert step.test((main,)) is Outcome.UNRESOLVED
    assert step.learn((main,))
    assert step.close((main,)) == tuple(sorted((main, extra)))


def _tests_of(universe: Universe) -> ChangeSearch:
    def look(tree: Tree, key: object) -> Verdict:
        if b"import parts.extra" in tree["main.py"][1] and "parts/extra.py" not in tree:
            said = b"ModuleNotFoundError: No module named 'parts.extra'"
            return Verdict(Outcome.UNRESOLVED, "it fails in another way", said)
        return Verdict(Outcome.FAIL)

    return ChangeSearch(universe, look, Campaign())
