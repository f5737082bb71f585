# gpxpy 1.6.1 1.6.2 --check stdout:/zone/
from __future__ import annotations

from gpxpy.gpxfield import parse_time

moment = parse_time("2026-03-01T12:00:00Z")
print("time", moment.isoformat())
print("zone", repr(moment.tzinfo))
