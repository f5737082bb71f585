# croniter 6.2.2 6.2.3 --check stdout:/2026/ python-dateutil pytz tzlocal
from __future__ import annotations

from datetime import datetime

from croniter import croniter

times = croniter("0 0 1 */4 *", datetime(2026, 4, 10), expand_from_start_time=True)
for _ in range(2):
    print(times.get_next(datetime).date())
