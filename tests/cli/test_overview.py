"""The help of the command itself: which verb is the right one when."""

from __future__ import annotations

import re

from stripe.cli.main import main
from stripe.cli.verbs import RIGHT_ONE, RUNNING


def test_each_experiment_is_the_right_one_for_a_question(capsys) -> None:
    assert main(["--help"]) == 0
    shown = capsys.readouterr().out
    verbs = set()
    for question, command in RIGHT_ONE:
        assert re.search(rf"^  {re.escape(question)} +{re.escape(command)}$", shown, re.M)
        verbs |= set(re.findall(r"stripe (\w+)", command))
    assert verbs == set(RUNNING) - {"verify", "demo"}
    assert max(map(len, shown.splitlines())) <= 100


def test_alone_it_says_three_commands_in_ten_lines(capsys) -> None:
    assert main([]) == 2
    shown = capsys.readouterr().out.splitlines()
    assert len(shown) <= 10
    assert max(map(len, shown)) <= 100
    named = [line.split()[1] for line in shown if line.startswith("  stripe ")]
    assert named == ["why", "trace", "debug"]
    assert "stripe --help" in shown[-1]
