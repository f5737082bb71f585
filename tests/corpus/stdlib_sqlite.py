import sqlite3
db = sqlite3.connect(":memory:")
db.row_factory = sqlite3.Row
db.executescript("create table item (name text primary key, qty integer check (qty >= 0));")
def discount(price, percent):
    print("discount", price, percent)
    return price - price * percent // 100
db.create_function("discount", 2, discount)
with db:
    db.executemany("insert into item values (?, ?)", [("nut", 5), ("bolt", 0), ("gear", 12)])
try:
    with db:
        db.execute("update item set qty = qty + 1")
        db.execute("update item set qty = -1 where name = 'nut'")
except sqlite3.IntegrityError as e:
    print("rolled back:", e)
for row in db.execute("select name, discount(qty, 50) as half from item order by name"):
    print(row["name"], row["half"])
print(db.execute("select sum(qty) from item").fetchone()[0])
db.close()
