# Run: stripe trace cleanup.py
# Cleanup runs on every way out: the slice holds the line in the finally that counts a failed order as shipped.
class Reservation:
    def __init__(self, stock, fruit):
        self.stock = stock
        self.fruit = fruit

    def __enter__(self):
        self.before = dict(self.stock)
        return self

    def __exit__(self, kind, error, trace):
        if kind is not None:
            self.stock.update(self.before)
        return False

    def take(self, count):
        self.stock[self.fruit] -= count
        if self.stock[self.fruit] < 0:
            raise ValueError(f"not enough {self.fruit}")


def ship(orders, stock):
    shipped = []
    failed = []
    for fruit, count in orders:
        try:
            with Reservation(stock, fruit) as reservation:
                reservation.take(count)
        except ValueError as error:
            failed.append(str(error))
        else:
            stock["boxes"] -= 1
        finally:
            shipped.append(fruit)
    return shipped, failed


stock = {"pear": 10, "kiwi": 2, "plum": 7, "boxes": 9}
shipped, failed = ship([("pear", 4), ("kiwi", 3), ("plum", 7)], stock)
print("shipped", shipped)
print("failed ", failed)
print("stock  ", stock)
boxes_used = 9 - stock["boxes"]
assert boxes_used == len(shipped), f"{len(shipped)} shipped in {boxes_used} boxes"
