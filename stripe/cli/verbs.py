"""The verbs, each a module of this package, which is imported when it is needed."""

from __future__ import annotations

import importlib
from typing import Any

SUMMARIES = {
    "why": "say why a program or a test fails: where to look, and how it came about",
    "trace": "record a run and find the few executions that make it do what it did",
    "input": "reduce a file with which a command fails to the little of it that matters",
    "changes": "find the changes between two versions that make a test fail",
    "causes": "find the variables that make one run fail while another passes",
    "suspects": "find the lines where a small change makes failing tests pass",
    "show": "make the reports of a result again: text, HTML, SARIF, pictures",
    "verify": "say whether a slice or an answer still holds for the program as it is now",
    "debug": "go through a failing run backwards: any moment, any expression",
    "lsp": "speak to an editor: critical slices in the source",
    "mcp": "speak to an assistant: why, and experiments, as tools",
    "notebook": "speak to a notebook: the critical slices of a cell",
    "demo": "show the critical slice of a program that comes with stripe",
    "doctor": "tell what this machine has of what stripe can use",
    "completion": "print what a shell needs to complete this command",
}
"""What each is for: here, so that to tell it nothing of a verb is imported."""

VERBS = tuple(SUMMARIES)

RIGHT_ONE = (
    ("it crashes, or a test fails", "stripe why PROGRAM, stripe why -m pytest TEST"),
    ("it prints something wrong", "stripe why PROGRAM --line N, or --expect TEXT"),
    ("what does the crash or output need?", "stripe trace PROGRAM --show back"),
    ("it worked before", "stripe changes GOOD BAD --test COMMAND"),
    ("it works with another input", "stripe causes PROGRAM --fail INPUT --pass INPUT"),
    ("which change would repair the test?", "stripe suspects -m pytest"),
    ("which bytes of the file matter?", "stripe input FILE -- COMMAND"),
)
"""What is asked, and the command that answers it."""

FIRST_DAY = (
    "  stripe why PROGRAM            it crashes, or a test fails (-m pytest TEST): where to look",
    "  stripe trace PROGRAM          which few executions make it do what it does",
    "  stripe debug PROGRAM          go through the failing run backwards",
)
"""The three commands to begin with."""

RUNNING = ("why", "trace", "input", "changes", "causes", "suspects", "verify", "demo")
"""The verbs that run programs."""


def verb(name: str) -> Any:
    """The module of a verb."""
    return importlib.import_module(f"stripe.cli.{name}")
