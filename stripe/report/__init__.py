"""Faces of one result model: terminal text, JSON, and progress while a search runs."""

from stripe.report.jsonfile import read_result
from stripe.report.notebook import fragment
from stripe.report.style import Style
from stripe.report.terminal import DEFAULT_SECTIONS, SECTIONS, lines, render

__all__ = ["DEFAULT_SECTIONS", "SECTIONS", "Style", "fragment", "lines", "read_result", "render"]
