# w3lib 2.1.0 2.1.1 --check stdout:/safe/
from w3lib.url import safe_url_string

print("safe", safe_url_string("https://example.com/a page"))
print("safe", safe_url_string("\x00https://example.com/\x1f"))
