# marshmallow 4.3.0 4.3.1 --check stdout:/fragment/
from __future__ import annotations

from marshmallow import ValidationError, validate

check = validate.URL()
for url in ("http://example.org/page#fragment", "http://example.org#fragment"):
    try:
        print(check(url), "is a URL")
    except ValidationError as error:
        print(url, error.messages)
