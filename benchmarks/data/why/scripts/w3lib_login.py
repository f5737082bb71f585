# w3lib 2.2.0 2.2.1 --check stdout:/canonical/
from __future__ import annotations

from w3lib.url import canonicalize_url

for url in ("https://Example.COM/b?y=2&x=1", "https://User:Secret@Example.COM/"):
    print("canonical", canonicalize_url(url))
