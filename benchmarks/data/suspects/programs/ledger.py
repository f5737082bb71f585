"""Books with double entries: accounts, postings, periods, balances, write-offs; all in cents."""

KINDS = {"asset": 1, "expense": 1, "liability": -1, "income": -1, "equity": -1}


class Ledger:
    def __init__(self):
        self.kinds = {}
        self.entries = []
        self.closed = 0

    def account(self, name, kind):
        if kind not in KINDS:
            raise ValueError(f"unknown kind {kind}")
        if self.kinds.setdefault(name, kind) != kind:
            raise ValueError(f"{name} is of another kind")

    def post(self, day, text, *postings):
        if day <= self.closed:
            raise ValueError("the period is closed")
        if len(postings) < 2:
            raise ValueError("at least two postings")
        for name, _ in postings:
            if name not in self.kinds:
                raise KeyError(name)
        if sum(amount for _, amount in postings) != 0:
            raise ValueError("does not balance")
        self.entries.append((day, text, postings))
        return len(self.entries)

    def reverse(self, number, day):
        _, text, postings = self.entries[number - 1]
        turned = [(name, -amount) for name, amount in postings]
        return self.post(day, f"reversal: {text}", *turned)

    def balance(self, name, first=1, last=None):
        total = 0
        for day, _, postings in self.entries:
            if day < first or (last is not None and day > last):
                continue
            for other, amount in postings:
                if other == name:
                    total += amount
        return total * KINDS[self.kinds[name]]

    def statement(self, name, first, last):
        running = self.balance(name, last=first - 1)
        rows = [("carried", running)]
        sign = KINDS[self.kinds[name]]
        for day, text, postings in sorted(self.entries, key=lambda entry: entry[0]):
            change = sum(amount for other, amount in postings if other == name) * sign
            if first <= day <= last and change:
                running += change
                rows.append((day, text, change, running))
        return rows

    def close(self, day, into):
        postings = []
        result = 0
        for name, kind in self.kinds.items():
            if kind not in ("income", "expense"):
                continue
            left = self.balance(name, first=self.closed + 1, last=day) * KINDS[kind]
            if left:
                postings.append((name, -left))
                result += left
        if postings:
            self.post(day, "closing", *postings, (into, result))
        self.closed = day
        return -result


def shares(amount, weights):
    """Parts in proportion that add up: cents left over go where most was cut off."""
    whole = sum(weights)
    parts = [amount * weight // whole for weight in weights]
    cut = [amount * weight % whole for weight in weights]
    order = sorted(range(len(weights)), key=lambda place: (-cut[place], place))
    for place in order[: amount - sum(parts)]:
        parts[place] += 1
    return parts


def write_off(cost, rest, years, first_month=1):
    """What is lost in each calendar year, month by month; the last one takes what is left."""
    months = years * 12
    total = cost - rest
    plan = []
    done = 0
    while done < months:
        count = min(months - done, 13 - first_month if not plan else 12)
        before = total * done // months
        done += count
        plan.append(total * done // months - before)
    return plan
