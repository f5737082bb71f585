# Run: stripe trace shops.py --check 'stdout:/^south has/'
# South has sold no apples and yet has too few: the slice names the sale that took them, and how it could.
OPENING_STOCK = {"apples": 10, "pears": 8}


def open_shop(name):
    print("opening", name)
    return {"name": name, "stock": OPENING_STOCK, "sold": 0}


def sell(shop, fruit, count):
    shop["stock"][fruit] -= count
    shop["sold"] += count
    print(shop["name"], "sells", count, fruit)


north = open_shop("north")
south = open_shop("south")
sell(north, "apples", 4)
sell(north, "pears", 3)
sell(south, "pears", 2)
print("north has", north["stock"]["apples"], "apples")
print("south has", south["stock"]["apples"], "apples")
