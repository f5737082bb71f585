"""Answers to generated histories: the good version with the patch fails exactly as the bad one."""

from __future__ import annotations

import contextlib
import io
import random
import subprocess
from pathlib import Path

import pytest

from stripe.changes.granularity import FINEST, LEVELS
from stripe.changes.plausibility import Plausibility
from stripe.changes.snapshots import Tree
from stripe.changes.universe import Universe
from stripe.dd import Outcome
from stripe.results.changes import ChangesResult
from tests.changes.answers import answer_to
from tests.changes.histories import history

HELPERS = ("one", "two", "three")


def function(draw: random.Random, name: str) -> str:
    """A function of a number, with blocks and statements of several lines."""
    low, high, factor = (draw.randrange(1, 5) for _ in range(3))
    extra = draw.choice(
        [
            f"    if n > {low}:\n        n = n - {high}\n    else:\n        n = n * {factor}\n",
            f"    for each in range({low}):\n        n += each * {high}\n",
            f"    n = max(\n        n,\n        {high},\n    ) * {factor}\n",
            f"    while n > {high + 9}:\n        n -= {low}\n",
        ]
    )
    text = f'    """About {low}.\n\n    And {high}.\n    """\n'
    return f"def {name}(n):\n{text}{extra}    return n + {factor}\n"


def version(functions: dict[str, str], order: list[str]) -> str:
    """The module."""
    calls = " + ".join(f"{name}(n)" for name in HELPERS)
    return (
        "\n\n".join(functions[name] for name in order) + f"\n\ndef main(n):\n    return {calls}\n"
    )


def output(tree: Tree) -> str:
    """What the module gives for some numbers, or how it ends."""
    said = io.StringIO()
    names: dict[str, object] = {}
    try:
        with contextlib.redirect_stdout(said):
            exec(compile(tree["m.py"][1], "m.py", "exec"), names)
            exec("print([main(n) for n in range(12)])", names)
    except Exception as error:
        return f"{type(error).__name__}: {error}"
    return said.getvalue()


@pytest.mark.parametrize("seed", range(40))
def test_good_with_the_patch_fails_as_bad(seed: int, tmp_path: Path) -> None:
    draw = random.Random(seed)
    functions = {name: function(draw, name) for name in HELPERS}
    order = list(HELPERS)
    versions = [{"m.py": version(functions, order)}]
    for _ in range(draw.randint(1, 4)):
        if draw.random() < 0.3:
            draw.shuffle(order)
        for name in draw.sample(HELPERS, draw.randint(1, 2)):
            functions[name] = function(draw, name)
        versions.append({"m.py": version(functions, order)})
    made = history(*versions)
    universe = Universe(made)
    good, bad = output(universe.tree(())), output(universe.tree(universe.deltas))
    if good == bad:
        pytest.skip("the versions do the same")

    def judge(tree: Tree) -> Outcome:
        said = output(tree)
        return Outcome.FAIL if said == bad else Outcome.PASS if said == good else Outcome.UNRESOLVED

    result: ChangesResult = answer_to(made, judge, levels=LEVELS[: FINEST + 1])
    (tmp_path / "m.py").write_text(versions[0]["m.py"])
    subprocess.run(["git", "apply", "-"], input=result.patch, cwd=tmp_path, check=True)
    assert output({"m.py": (0, (tmp_path / "m.py").read_bytes())}) == bad
    assert result.certified
    kept = tuple(universe.deltas[number] for part in result.answer for number in part)
    assert Plausibility(universe).holds(kept)
