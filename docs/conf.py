"""How the documentation is built: ``make docs``, then open ``build/docs/index.html``."""

from __future__ import annotations

import sys

import stripe

project = "STRIPE"
author = "The STRIPE authors"
copyright = author
version = release = stripe.__version__

extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.napoleon"]
exclude_patterns = ["course/programs", "playground"]

# Links such as lesson.md#4-ddmin lead to headings, as on the pages of a code host.
myst_heading_anchors = 3

autodoc_member_order = "bysource"
autodoc_typehints = "description"
# Early releases of 3.12 cannot evaluate annotations with type parameters, so that a bare `Result`
# is left, of which there are two.
if sys.version_info < (3, 13):
    suppress_warnings = ["ref.python"]
# `Result` and not `stripe.reduce.result.Result`: where a class lives is not the reader's business.
python_use_unqualified_type_names = True

html_theme = "furo"
html_title = "STRIPE"
html_copy_source = False
html_show_sourcelink = False
# What a terminal shows in 100 columns fits without a scroll bar.
html_theme_options = {
    "light_css_variables": {"font-size--small--2": "73%"},
}
