EUROS = {"pen": 2.00, "ink": 4.50, "pad": 3.00}
RATES = {"EUR": 1.0, "USD": 1.25}

known = {}


def price(name, currency):
    if name not in known:
        known[name] = EUROS[name] * RATES[currency]
    return known[name]
