# w3lib 2.4.0 2.4.1 --check stdout:/safe/
from __future__ import annotations

from w3lib.url import safe_url_string

for url in ("http://example.com:8080/a b", "http://[2001:db8::1]:8080/a b"):
    print("safe", safe_url_string(url))
