"""The README's examples about calls and programs print what it says."""

import re
from pathlib import Path

import pytest

TEXT = (Path(__file__).parents[2] / "README.md").read_text(encoding="utf-8")
SECTION = TEXT.partition("## A failing call, reduced")[2].partition("\n## ")[0]
EXAMPLES = re.findall(r"```python\n(.*?)```", SECTION, re.DOTALL)


@pytest.mark.parametrize("example", EXAMPLES, ids=["call", "program"])
def test_an_example(example: str, capsys: pytest.CaptureFixture[str]) -> None:
    exec(compile(example, "<README>", "exec"), {"__name__": "example"})
    said = re.findall(r"^print\(.*\)  # (.*)$", example, re.MULTILINE)
    assert said
    assert capsys.readouterr().out.splitlines() == said
