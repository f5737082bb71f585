# croniter 6.2.0 6.2.1 --check stdout:/before/ python-dateutil pytz tzlocal
from __future__ import annotations

from datetime import datetime

from croniter import croniter

print("before", croniter("0 0 29 * *", datetime(2024, 3, 10)).get_prev(datetime).date())
