"""A warehouse: what comes in goes out first, orders, what has to be bought again."""


class Stock:
    def __init__(self):
        self.batches = {}
        self.reserved = {}

    def receive(self, item, count, cost):
        if count <= 0:
            raise ValueError("nothing received")
        self.batches.setdefault(item, []).append([count, cost])

    def available(self, item):
        total = sum(count for count, _ in self.batches.get(item, []))
        return total - self.reserved.get(item, 0)

    def reserve(self, item, count):
        if count > self.available(item):
            return False
        self.reserved[item] = self.reserved.get(item, 0) + count
        return True

    def release(self, item, count):
        held = self.reserved.get(item, 0)
        self.reserved[item] = max(0, held - count)

    def ship(self, item, count):
        if count > self.available(item):
            raise ValueError("not enough")
        cost = 0
        batches = self.batches[item]
        while count:
            batch = batches[0]
            taken = min(batch[0], count)
            cost += taken * batch[1]
            batch[0] -= taken
            count -= taken
            if batch[0] == 0:
                batches.pop(0)
        return cost

    def worth(self):
        total = 0
        for batches in self.batches.values():
            for count, cost in batches:
                total += count * cost
        return total


def reorder(stock, levels):
    orders = []
    for item, (least, target) in sorted(levels.items()):
        have = stock.available(item)
        if have < least:
            orders.append((item, target - have))
    return orders


def classify(sales):
    total = sum(sales.values())
    ranked = sorted(sales, key=lambda item: (-sales[item], item))
    classes = {}
    running = 0
    for item in ranked:
        share = running * 100 // total
        if share < 70:
            classes[item] = "A"
        elif share < 90:
            classes[item] = "B"
        else:
            classes[item] = "C"
        running += sales[item]
    return classes
