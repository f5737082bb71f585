# python-box:box 7.3.1 7.3.2
from __future__ import annotations

from box import Box

settings = Box({"server": {"port": 80}}, box_dots=True)
for name in ("server.port", "client.port"):
    print(name, name in settings)
