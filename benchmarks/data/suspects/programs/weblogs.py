"""Lines that a web server wrote: read, filtered, counted by hour and path, joined to visits."""

import re

LINE = re.compile(
    r'(?P<host>\S+) \S+ (?P<user>\S+) \[(?P<time>[^\]]+)\] "(?P<request>[^"]*)" '
    r'(?P<status>\d{3}) (?P<size>\d+|-)(?: "(?P<referrer>[^"]*)")?'
)
MONTHS = "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec".split()
PAUSE = 30 * 60


def seconds(text):
    """Since the year began, of "12/Mar/2024:06:25:24 +0100"; in UTC."""
    stamp, _, zone = text.partition(" ")
    day, hour, minute, second = stamp.split(":")
    number, month, year = day.split("/")
    lengths = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
    if int(year) % 4 == 0:
        lengths[1] = 29
    days = sum(lengths[: MONTHS.index(month)]) + int(number) - 1
    found = ((days * 24 + int(hour)) * 60 + int(minute)) * 60 + int(second)
    if zone:
        sign = -1 if zone[0] == "-" else 1
        found -= sign * (int(zone[1:3]) * 3600 + int(zone[3:]) * 60)
    return found


def read(line):
    """What a line says, or None."""
    match = LINE.match(line)
    if match is None:
        return None
    entry = match.groupdict()
    words = entry.pop("request").split()
    if len(words) < 2:
        return None
    entry["method"] = words[0]
    path, _, query = words[1].partition("?")
    entry["path"] = path.rstrip("/") or "/"
    entry["query"] = dict(
        pair.partition("=")[::2] for pair in query.split("&") if pair
    )
    entry["status"] = int(entry["status"])
    entry["size"] = 0 if entry["size"] == "-" else int(entry["size"])
    entry["time"] = seconds(entry["time"])
    entry["user"] = None if entry["user"] == "-" else entry["user"]
    return entry


def readable(lines):
    """What can be read, in the order of time, and how many lines cannot."""
    entries, bad = [], 0
    for line in lines:
        if not line.strip():
            continue
        entry = read(line)
        if entry is None:
            bad += 1
        else:
            entries.append(entry)
    entries.sort(key=lambda entry: entry["time"])
    return entries, bad


def most(entries, key, count=3):
    """The most frequent ones with their numbers; of equal ones the smaller first."""
    numbers = {}
    for entry in entries:
        value = entry[key]
        numbers[value] = numbers.get(value, 0) + 1
    ranked = sorted(numbers.items(), key=lambda pair: (-pair[1], pair[0]))
    return ranked[:count]


def by_hour(entries):
    """How many bytes in each hour from the first to the last one, those without any included."""
    sizes = {}
    for entry in entries:
        hour = entry["time"] // 3600
        sizes[hour] = sizes.get(hour, 0) + entry["size"]
    if not sizes:
        return []
    return [sizes.get(hour, 0) for hour in range(min(sizes), max(sizes) + 1)]


def failures(entries, least=2):
    """The share of requests that failed for each path that was asked for often enough."""
    asked, failed = {}, {}
    for entry in entries:
        path = entry["path"]
        asked[path] = asked.get(path, 0) + 1
        if entry["status"] >= 400:
            failed[path] = failed.get(path, 0) + 1
    return {
        path: failed[path] / asked[path] for path in sorted(failed) if asked[path] >= least
    }


def visits(entries):
    """Runs of requests of a host with no long pause: host, begin, end, paths."""
    open_visits = {}
    done = []
    for entry in entries:
        host, now = entry["host"], entry["time"]
        visit = open_visits.get(host)
        if visit is not None and now - visit["end"] > PAUSE:
            done.append(visit)
            visit = None
        if visit is None:
            visit = {"host": host, "begin": now, "end": now, "paths": []}
            open_visits[host] = visit
        visit["end"] = now
        if not visit["paths"] or visit["paths"][-1] != entry["path"]:
            visit["paths"].append(entry["path"])
    done.extend(open_visits.values())
    return sorted(done, key=lambda visit: (visit["begin"], visit["host"]))


def bursts(entries, window=10, limit=3):
    """Hosts with more than ``limit`` requests within ``window`` seconds."""
    recent = {}
    found = []
    for entry in entries:
        host, now = entry["host"], entry["time"]
        times = recent.setdefault(host, [])
        times.append(now)
        while times[0] <= now - window:
            times.pop(0)
        if len(times) > limit and host not in found:
            found.append(host)
    return found
