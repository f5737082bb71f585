"""Faces of one result model: terminal text, JSON, and progress while a search runs."""

from stripe.reduce import Result
from stripe.report.reading import read_result
from stripe.report.style import Style
from stripe.report.terminal import DEFAULT_SECTIONS, SECTIONS, lines, render


def fragment(result: Result) -> str:
    """How a notebook shows a result (:mod:`stripe.report.notebook`)."""
    from stripe.report import notebook  # lazy

    return notebook.fragment(result)


Result.html = fragment

__all__ = ["DEFAULT_SECTIONS", "SECTIONS", "Style", "fragment", "lines", "read_result", "render"]
