/* Dates: differences, weekdays, week numbers, Easter, calendars. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct date {
    int year;
    int month;
    int day;
};

static const int month_days[12] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
static const char *month_names[12] = {
    "January", "February", "March", "April", "May", "June", "July",
    "August", "September", "October", "November", "December",
};
static const char *weekdays[7] = {"Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"};

static int is_leap(int year)
{
    return (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
}

static int days_in(int year, int month)
{
    if (month == 2 && is_leap(year))
        return 29;
    return month_days[month - 1];
}

static int is_valid(struct date date)
{
    if (date.month < 1 || date.month > 12)
        return 0;
    return date.day >= 1 && date.day <= days_in(date.year, date.month);
}

static int day_of_year(struct date date)
{
    int day = date.day;
    int month;

    for (month = 1; month < date.month; month++)
        day += days_in(date.year, month);
    return day;
}

/* Days since the first of January of the year 1, which was a Monday. */
static long number_of(struct date date)
{
    long before = date.year - 1;
    long days = before * 365 + before / 4 - before / 100 + before / 400;

    return days + day_of_year(date) - 1;
}

static struct date date_of(long number)
{
    struct date date = {1, 1, 1};
    int length;

    date.year = number / 366 + 1;
    while (number_of(date) + (is_leap(date.year) ? 366 : 365) <= number)
        date.year++;
    number -= number_of(date);
    length = days_in(date.year, date.month);
    while (number >= length) {
        number -= length;
        date.month++;
        length = days_in(date.year, date.month);
    }
    date.day = number + 1;
    return date;
}

static int weekday(struct date date)
{
    return number_of(date) % 7;
}

/* ISO 8601: weeks begin on Monday, the first one has the fourth of January. */
static int week_of(struct date date, int *year)
{
    struct date fourth = {date.year, 1, 4};
    long first = number_of(fourth) - weekday(fourth);
    long number = number_of(date);
    struct date next = {date.year + 1, 1, 4};

    *year = date.year;
    if (number < first) {
        fourth.year--;
        first = number_of(fourth) - weekday(fourth);
        *year = fourth.year;
    } else if (number >= number_of(next) - weekday(next)) {
        *year = next.year;
        return 1;
    }
    return (number - first) / 7 + 1;
}

static struct date easter(int year)
{
    int a = year % 19;
    int b = year / 100;
    int c = year % 100;
    int d = b / 4;
    int e = b % 4;
    int f = (b + 8) / 25;
    int g = (b - f + 1) / 3;
    int h = (19 * a + b - d - g + 15) % 30;
    int i = c / 4;
    int k = c % 4;
    int l = (32 + 2 * e + 2 * i - h - k) % 7;
    int m = (a + 11 * h + 22 * l) / 451;
    struct date found;

    found.year = year;
    found.month = (h + l - 7 * m + 114) / 31;
    found.day = (h + l - 7 * m + 114) % 31 + 1;
    return found;
}

static struct date add_months(struct date date, int months)
{
    int all = date.year * 12 + date.month - 1 + months;

    date.year = all / 12;
    date.month = all % 12 + 1;
    if (date.day > days_in(date.year, date.month))
        date.day = days_in(date.year, date.month);
    return date;
}

static int age(struct date born, struct date today)
{
    int years = today.year - born.year;

    if (today.month < born.month)
        years--;
    else if (today.month == born.month && today.day < born.day)
        years--;
    return years;
}

static void print_date(const char *before, struct date date)
{
    printf("%s%s %04d-%02d-%02d\n", before, weekdays[weekday(date)], date.year, date.month,
           date.day);
}

static void calendar(int year, int month)
{
    struct date first = {year, month, 1};
    int column = weekday(first);
    int day;

    printf("%s %d\n", month_names[month - 1], year);
    printf("%*s", 3 * column, "");
    for (day = 1; day <= days_in(year, month); day++) {
        printf("%3d", day);
        column++;
        if (column == 7) {
            printf("\n");
            column = 0;
        }
    }
    if (column != 0)
        printf("\n");
}

static int read_date(const char *text, struct date *into)
{
    return sscanf(text, "%d-%d-%d", &into->year, &into->month, &into->day) == 3;
}

int main(void)
{
    char line[80], word[16], one[24], two[24];
    struct date a, b;
    int year;

    while (fgets(line, sizeof line, stdin) != NULL) {
        int found = sscanf(line, "%15s %23s %23s", word, one, two);
        if (found < 2)
            continue;
        if (strcmp(word, "easter") == 0) {
            print_date("easter ", easter(atoi(one)));
            continue;
        }
        if (!read_date(one, &a) || !is_valid(a)) {
            printf("%s: no date\n", one);
            continue;
        }
        if (strcmp(word, "week") == 0) {
            int week = week_of(a, &year);
            printf("week %d of %d\n", week, year);
        } else if (strcmp(word, "add") == 0 && found == 3) {
            print_date("then ", date_of(number_of(a) + atoi(two)));
        } else if (strcmp(word, "months") == 0 && found == 3) {
            print_date("then ", add_months(a, atoi(two)));
        } else if (strcmp(word, "calendar") == 0) {
            calendar(a.year, a.month);
        } else if (found == 3 && read_date(two, &b) && is_valid(b)) {
            if (strcmp(word, "between") == 0)
                printf("%ld days\n", number_of(b) - number_of(a));
            else
                printf("%d years old\n", age(a, b));
        }
    }
    return 0;
}
