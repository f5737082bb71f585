# dnspython:dns 2.9.1 2.9.2 --check stdout:/size/
from __future__ import annotations

import dns.rdata

for service in ("25", "70000"):
    try:
        record = dns.rdata.from_text("IN", "WKS", f"10.0.0.1 6 {service}")
        print(service, "size", len(record.bitmap))
    except ValueError as error:
        print(service, "is refused:", error)
    except dns.exception.DNSException as error:
        print(service, "is refused:", error)
