# fail: 1900 2
# pass: 1901 2
import calendar
import sys


def is_leap(year):
    leap = year % 4 == 0  # FAULT: and not every hundred years
    return leap


def days_of(year, month):
    days = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month - 1]
    if month == 2 and is_leap(year):
        days = days + 1
    return days


year, month = int(sys.argv[1]), int(sys.argv[2])
days = days_of(year, month)
assert days == calendar.monthrange(year, month)[1], days
