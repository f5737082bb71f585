from . import API
def charge(amount, currency):
    fee = amount * 3
    return f"{API}: {amount} {currency} + {fee}"
