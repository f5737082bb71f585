"""What comes again and again: days by rules, next times, free slots, reminders."""

from datetime import date, timedelta


def nth_weekday(year, month, weekday, number):
    """The second Tuesday, or with -1 the last one; Monday is 0."""
    if number > 0:
        first = date(year, month, 1)
        day = 1 + (weekday - first.weekday()) % 7 + 7 * (number - 1)
    else:
        last = month_end(year, month)
        day = last.day - (last.weekday() - weekday) % 7 + 7 * (number + 1)
    if not 1 <= day <= month_end(year, month).day:
        return None
    return date(year, month, day)


def month_end(year, month):
    if month == 12:
        return date(year, 12, 31)
    return date(year, month + 1, 1) - timedelta(days=1)


def daily(start, every, until):
    days = []
    day = start
    while day <= until:
        days.append(day)
        day += timedelta(days=every)
    return days


def weekly(start, weekdays, every, count):
    """So many days, on some days of every second, third... week from that of the start."""
    found = []
    monday = start - timedelta(days=start.weekday())
    while len(found) < count:
        for weekday in sorted(weekdays):
            day = monday + timedelta(days=weekday)
            if day >= start and len(found) < count:
                found.append(day)
        monday += timedelta(weeks=every)
    return found


def monthly(start, every, count, day=None):
    """So many months; in short ones it is the last day."""
    wanted = day or start.day
    year, month = start.year, start.month
    found = []
    while len(found) < count:
        here = date(year, month, min(wanted, month_end(year, month).day))
        if here >= start:
            found.append(here)
        month += every
        if month > 12:
            year += (month - 1) // 12
            month = (month - 1) % 12 + 1
    return found


def without(days, exceptions, moved=()):
    moved = dict(moved)
    kept = []
    for day in days:
        if day in exceptions:
            continue
        kept.append(moved.get(day, day))
    return sorted(set(kept))


def next_after(days, now):
    later = [day for day in days if day > now]
    if not later:
        return None
    return min(later)


def free_slots(busy, opens, closes, length):
    """Where so many minutes fit between what is planned: pairs of minutes."""
    slots = []
    free_from = opens
    for begins, ends in sorted(busy):
        if begins - free_from >= length:
            slots.append((free_from, begins))
        free_from = max(free_from, ends)
    if closes - free_from >= length:
        slots.append((free_from, closes))
    return slots


def reminders(events, now, ahead):
    """Texts for what happens soon, the soonest first: (day, text) pairs in, texts out."""
    limit = now + timedelta(days=ahead)
    texts = []
    for day, text in sorted(events):
        if day < now or day > limit:
            continue
        left = (day - now).days
        if left == 0:
            when = "today"
        elif left == 1:
            when = "tomorrow"
        elif left < 14:
            when = f"in {left} days"
        else:
            when = f"in {left // 7} weeks"
        texts.append(f"{text} {when}")
    return texts


def age(born, now):
    years = now.year - born.year
    if (now.month, now.day) < (born.month, born.day):
        years -= 1
    return years
