"""What a basket costs: quantities, vouchers, shipping, taxes; all in cents."""

RATES = {"book": 7, "food": 7, "toy": 19, "gift card": 0}


def line_total(price, quantity):
    if quantity < 0:
        raise ValueError("negative quantity")
    total = price * quantity
    if quantity >= 100:
        total = total * 80 // 100
    elif quantity >= 10:
        total = total * 90 // 100
    return total


def discounted(total, voucher):
    if voucher is None:
        return total
    kind, amount, least = voucher
    if total < least:
        return total
    if kind == "percent":
        return total - total * amount // 100
    if kind == "fixed":
        return max(0, total - amount)
    raise ValueError(f"unknown voucher {kind}")


def shipping(weight, country, total):
    if total >= 5000 and country == "DE":
        return 0
    if country == "DE":
        base = 400
    elif country in ("AT", "NL", "FR"):
        base = 900
    else:
        base = 1500
    if weight > 1000:
        extra = (weight - 1000 + 499) // 500
        base += extra * 150
    return base


def taxes(items):
    sums = {}
    for kind, price, quantity in items:
        rate = RATES[kind]
        if rate == 0:
            continue
        sums[rate] = sums.get(rate, 0) + line_total(price, quantity)
    result = {}
    for rate in sorted(sums):
        result[rate] = (sums[rate] * rate + (100 + rate) // 2) // (100 + rate)
    return result


def invoice(items, country="DE", weight=0, voucher=None):
    total = 0
    for _, price, quantity in items:
        total += line_total(price, quantity)
    total = discounted(total, voucher)
    cost = shipping(weight, country, total)
    return total + cost
