"""What is withheld of pay: brackets, allowances, contributions with a limit; in whole units."""

BRACKETS = ((10_000, 0), (30_000, 20), (80_000, 40), (None, 45))
LIMIT = 60_000


def by_brackets(income, brackets=BRACKETS):
    """The tax: of each part of the income between two limits so many percent."""
    tax = 0
    low = 0
    for high, percent in brackets:
        if high is None or income <= high:
            tax += (income - low) * percent / 100
            break
        tax += (high - low) * percent / 100
        low = high
    return round(tax)


def marginal(income, brackets=BRACKETS):
    """The percent of the next unit."""
    for high, percent in brackets:
        if high is None or income < high:
            return percent
    raise ValueError("no bracket")


def for_couple(one, other, brackets=BRACKETS):
    """Of two that are taxed as if each had earned half; no more than apart."""
    split = 2 * by_brackets((one + other) / 2, brackets)
    apart = by_brackets(one, brackets) + by_brackets(other, brackets)
    return min(split, apart)


def allowance(income, children=0, base=2_000):
    """What is not taxed; less above 50000, by one for two, but never for children."""
    own = base
    if income > 50_000:
        own -= (income - 50_000) // 2
    if own < 0:
        own = 0
    per_child = 500
    total = own
    for number in range(1, children + 1):
        total += per_child if number < 3 else 2 * per_child
    return total


def contribution(earned, before, percent=10, limit=LIMIT):
    """Of what is earned this month, when so much was earned before; none above the year's limit."""
    left = max(0, limit - before)
    counted = min(earned, left)
    return round(counted * percent / 100)


def deducted(income, items):
    """The income less what may be deducted: (kind, amount) pairs, each kind with its rule."""
    sums = {}
    for kind, amount in items:
        sums[kind] = sums.get(kind, 0) + amount
    left = income
    if "travel" in sums:
        left -= max(0, sums["travel"] - 1_000)
    if "gifts" in sums:
        left -= min(sums["gifts"], income * 20 // 100)
    if "interest" in sums:
        left -= sums["interest"] // 2
    if "loss" in sums:
        left -= min(sums["loss"], max(0, left))
    return max(0, left)


def year(months, children=0):
    """Pay slips of a year: tax by what is expected of the whole year, settled in the last month."""
    slips = []
    total = paid = 0
    for number, gross in enumerate(months, 1):
        social = contribution(gross, total)
        total += gross
        expected = total if number == 12 else gross * 12
        taxed = max(0, expected - allowance(expected, children))
        due = by_brackets(taxed)
        tax = due - paid if number == 12 else round(due / 12)
        paid += tax
        slips.append({"gross": gross, "tax": tax, "social": social, "net": gross - tax - social})
    return slips


def gross_for(net, brackets=BRACKETS):
    """The smallest income of which so much is left after the tax."""
    low, high = net, 2 * net + 1
    while low < high:
        middle = (low + high) // 2
        if middle - by_brackets(middle, brackets) >= net:
            high = middle
        else:
            low = middle + 1
    return low


def indexed(brackets, percent, step=100):
    """The brackets raised with the prices, limits up to the next step."""
    raised = []
    for high, rate in brackets:
        if high is not None:
            high = high * (100 + percent)
            high = -(-high // (100 * step)) * step
        raised.append((high, rate))
    return tuple(raised)


def carried(years):
    """What is taxed of each year, when losses are taken from later gains."""
    loss = 0
    taxed = []
    for gain in years:
        if gain < 0:
            loss -= gain
            taxed.append(0)
        else:
            used = min(loss, gain)
            loss -= used
            taxed.append(gain - used)
    return taxed, loss
