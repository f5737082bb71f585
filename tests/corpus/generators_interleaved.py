def player(name, cards):
    while cards:
        card = cards.pop(0)
        print(name, "plays", card)
        reply = yield card
        if reply == "again":
            print(name, "plays twice")
            cards.append(card // 2)
    print(name, "is out")

players = [player("ann", [4, 2]), player("bob", [7]), player("cy", [1, 1, 1])]
alive = list(players)
started = set()
round_number = 0
while alive:
    round_number += 1
    for p in list(alive):
        try:
            if id(p) in started:
                card = p.send("again" if round_number == 2 else None)
            else:
                started.add(id(p))
                card = next(p)
        except StopIteration:
            alive.remove(p)
print("rounds", round_number)
def a():
    for i in range(3): yield f"a{i}"
def b():
    for i in range(5): yield f"b{i}"
def roundrobin(*its):
    its = list(its)
    while its:
        it = its.pop(0)
        try: yield next(it)
        except StopIteration: continue
        its.append(it)
print(" ".join(roundrobin(a(), b())))
