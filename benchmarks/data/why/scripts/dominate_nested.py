# dominate 2.7.0 2.8.0 --check stdout:/p/
from __future__ import annotations

from dominate.tags import body, div, p

with body() as page:
    inner = p("hello")
    with div():
        page.add(inner)
print(page.render(pretty=False))
