"""Pictures of two states and what differs between them: SVG of our own, and text for Graphviz.

``boxes`` says what is drawn, ``layout`` where; the same result gives the same picture.
"""

from __future__ import annotations
