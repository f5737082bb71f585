"""Days and weeks, without the standard library."""

LENGTHS = (31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)


def is_leap(year):
    if year % 400 == 0:
        return True
    if year % 100 == 0:
        return False
    return year % 4 == 0


def days_in_month(year, month):
    if not 1 <= month <= 12:
        raise ValueError("no such month")
    if month == 2 and is_leap(year):
        return 29
    return LENGTHS[month - 1]


def day_of_year(year, month, day):
    if not 1 <= day <= days_in_month(year, month):
        raise ValueError("no such day")
    total = day
    for earlier in range(1, month):
        total += days_in_month(year, earlier)
    return total


def weekday(year, month, day):
    before = year - 1
    days = before * 365 + before // 4 - before // 100 + before // 400
    days += day_of_year(year, month, day)
    return (days - 1) % 7


def add_months(year, month, day, count):
    months = year * 12 + (month - 1) + count
    year, month = divmod(months, 12)
    month += 1
    last = days_in_month(year, month)
    if day > last:
        day = last
    return year, month, day


def working_days(year, month, holidays=()):
    count = 0
    for day in range(1, days_in_month(year, month) + 1):
        if weekday(year, month, day) >= 5:
            continue
        if day in holidays:
            continue
        count += 1
    return count
