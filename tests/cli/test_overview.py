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
    assert verbs == set(RUNNING) - {"verify"}
    assert max(map(len, shown.splitlines())) <= 100
