"""Hours of work: entries like "9:00-12:30", breaks, overtime, weeks, rounding; in minutes."""

BREAKS = ((9 * 60, 45), (6 * 60, 30))
FULL_DAY = 8 * 60


def minutes(clock):
    hours, _, rest = clock.strip().partition(":")
    if not hours.isdigit() or (rest and not rest.isdigit()):
        raise ValueError(f"no time: {clock}")
    found = int(hours) * 60 + int(rest or 0)
    if int(rest or 0) >= 60 or found > 24 * 60:
        raise ValueError(f"no time: {clock}")
    return found


def clock(number):
    sign = "-" if number < 0 else ""
    hours, rest = divmod(abs(number), 60)
    return f"{sign}{hours}:{rest:02}"


def spans(line):
    """The times of a line such as "9-12:30, 13:00-17:15"; one may go beyond midnight."""
    found = []
    for part in line.split(","):
        if not part.strip():
            continue
        first, _, last = part.partition("-")
        begin, end = minutes(first), minutes(last)
        if end <= begin:
            end += 24 * 60
        found.append((begin, end))
    found.sort()
    for before, after in zip(found, found[1:]):
        if after[0] < before[1]:
            raise ValueError("times overlap")
    return found


def pauses(times):
    """Minutes between the spans; those under fifteen are no pause."""
    total = 0
    for before, after in zip(times, times[1:]):
        gap = after[0] - before[1]
        if gap >= 15:
            total += gap
    return total


def worked(line):
    """Minutes of work, less what is missing of the pause that the law demands."""
    times = spans(line)
    total = sum(end - begin for begin, end in times)
    taken = pauses(times)
    for limit, needed in BREAKS:
        if total > limit:
            missing = max(0, needed - taken)
            return max(limit, total - missing)
    return total


def rounded(number, step=15):
    """To the nearest step; halves go up."""
    low = number - number % step
    if number - low >= step / 2:
        return low + step
    return low


def week(days, contract=40 * 60):
    """What is worked each day, in all, and overtime: paid half as much again, on Sundays twice."""
    per_day = {}
    normal = extra = sunday = 0
    for name, line in days.items():
        done = rounded(worked(line))
        per_day[name] = done
        if name == "Sun":
            sunday += done
        else:
            normal += done
    if normal > contract:
        extra = normal - contract
        normal = contract
    return {
        "days": per_day,
        "total": normal + extra + sunday,
        "overtime": extra,
        "paid": normal + extra * 3 // 2 + sunday * 2,
    }


def balance(weeks, contract=40 * 60, carried=0, most=20 * 60):
    """The account after each week; not more than ``most`` of it is kept."""
    account = carried
    history = []
    for total in weeks:
        account += total - contract
        if account > most:
            account = most
        history.append(account)
    return history


def vacation(begun, hired_month, days=30, taken=()):
    """Days left in the year: a twelfth for each month begun, rounded up from a half."""
    months = 12 if not begun else 13 - hired_month
    earned = days * months / 12
    whole = int(earned)
    if earned - whole >= 0.5:
        whole += 1
    used = 0
    for first, last in taken:
        used += last - first + 1
    return whole - used
