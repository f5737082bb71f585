# markdown 3.10.3 3.11
from __future__ import annotations

import markdown

TEXT = """\
The HTML of the W3C.

*[HTML]: Hyper Text Markup Language
*[W3C]: ''
"""
print(markdown.markdown(TEXT, extensions=["markdown.extensions.abbr"]))
