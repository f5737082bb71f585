"""Programs by shape and size, to search slices in: generated, with seeded inputs.

Each is one text with ``SIZE`` in it, a check on a part of what it prints, and the sizes at which
it makes about 1,500 and about 15,000 events.
"""

from __future__ import annotations

from dataclasses import dataclass
from textwrap import dedent


@dataclass(frozen=True)
class Shape:
    """A family of programs."""

    name: str
    check: str
    small: int
    large: int
    text: str
    apart: bool = False
    """Whether it is put aside while a search is tuned."""

    def source(self, size: int) -> str:
        """The program of that size."""
        return dedent(self.text).lstrip().replace("SIZE", str(size))


MACHINE = """\
def run(program):
    memory = {}
    pc = 0
    steps = 0
    while pc < len(program):
        instruction = program[pc]
        op = instruction[0]
        name = instruction[1]
        pc += 1
        steps += 1
        if op == "set":
            memory[name] = instruction[2]
        elif op == "add":
            memory[name] = memory[name] + instruction[2]
        elif op == "addr":
            memory[name] += memory[instruction[2]]
        elif op == "mod":
            memory[name] %= instruction[2]
        elif op == "jlt":
            if memory[name] < instruction[2]:
                pc = instruction[3]
        elif op == "out":
            print(name, memory[name])
        elif op == "mulr":
            memory[name] *= memory[instruction[2]]
        elif op == "jgt":
            if memory[name] > instruction[2]:
                pc = instruction[3]
    return steps
print("steps", run(PROGRAM))
"""
"""A virtual machine that executes ``PROGRAM``, with a dictionary for its variables."""

SHAPES = [
    Shape("matrix", "stdout:/^corner/", 9, 20, """
        size = SIZE
        def make(rows, seed):
            matrix = []
            for i in range(rows):
                row = []
                for j in range(rows):
                    seed = (seed * 75 + 74) % 65537
                    row.append(seed % 10)
                matrix.append(row)
            return matrix
        def multiply(a, b):
            result = []
            for i in range(len(a)):
                row = []
                for j in range(len(b[0])):
                    total = 0
                    for k in range(len(b)):
                        total += a[i][k] * b[k][j]
                    row.append(total)
                result.append(row)
            return result
        a = make(size, 1)
        b = make(size, 2)
        c = multiply(a, b)
        print("trace", sum(c[i][i] for i in range(size)))
        print("corner", c[size - 1][size - 1])
        print("max", max(max(row) for row in c))
        """),
    Shape("product", "stdout:/^row 2/", 7, 24, """
        def fill(size, factor):
            matrix = [[0] * size for row in range(size)]
            for i in range(size):
                for j in range(size):
                    matrix[i][j] = (i * factor + j) % 7
            return matrix
        def multiply(left, right, size):
            result = [[0] * size for row in range(size)]
            for i in range(size):
                for j in range(size):
                    total = 0
                    for k in range(size):
                        total += left[i][k] * right[k][j]
                    result[i][j] = total
            return result
        size = SIZE
        left = fill(size, 3)
        right = fill(size, 5)
        result = multiply(left, right, size)
        for i in range(size):
            print("row", i, sum(result[i]))
        """),
    Shape("interpreter", "stdout:/^b /", 100, 1000, """\
PROGRAM = [("set", "a", 0), ("set", "b", 1), ("set", "i", 0), ("add", "a", 3),
           ("addr", "b", "i"), ("mod", "b", 97), ("add", "i", 1), ("jlt", "i", SIZE, 3),
           ("out", "a", 0), ("out", "b", 0)]
""" + MACHINE),
    Shape("trees", "stdout:/^depth/", 100, 900, """
        class Node:
            def __init__(self, key):
                self.key = key
                self.left = None
                self.right = None
        def insert(node, key):
            if node is None:
                return Node(key)
            if key < node.key:
                node.left = insert(node.left, key)
            elif key > node.key:
                node.right = insert(node.right, key)
            return node
        def depth(node):
            if node is None:
                return 0
            left = depth(node.left)
            right = depth(node.right)
            return 1 + max(left, right)
        def total(node):
            if node is None:
                return 0
            return node.key + total(node.left) + total(node.right)
        root = None
        seed = 7
        for number in range(SIZE // 4):
            seed = (seed * 75 + 74) % 65537
            root = insert(root, seed % 1000)
        print("total", total(root))
        print("depth", depth(root))
        """, True),
    Shape("csv", "stdout:/^north/", 110, 1100, """
        def generate(rows):
            seed = 11
            lines = ["region,product,amount,price"]
            for number in range(rows):
                seed = (seed * 75 + 74) % 65537
                region = ["north", "south", "east", "west"][seed % 4]
                product = ["pen", "ink", "pad"][seed % 3]
                lines.append(f"{region},{product},{seed % 50},{seed % 7 + 1}")
            return "\\n".join(lines)
        def parse(text):
            lines = text.split("\\n")
            header = lines[0].split(",")
            rows = []
            for line in lines[1:]:
                fields = line.split(",")
                rows.append(dict(zip(header, fields)))
            return rows
        def summarise(rows):
            sums = {}
            counts = {}
            for row in rows:
                region = row["region"]
                value = int(row["amount"]) * int(row["price"])
                if region not in sums:
                    sums[region] = 0
                    counts[region] = 0
                sums[region] += value
                counts[region] += 1
            return sums, counts
        rows = parse(generate(SIZE))
        sums, counts = summarise(rows)
        for region in sorted(sums):
            print(region, sums[region], counts[region], sums[region] // counts[region])
        """),
    Shape("simulation", "stdout:/^waited/", 90, 900, """
        class Queue:
            def __init__(self):
                self.items = []
                self.longest = 0
            def put(self, item):
                self.items.append(item)
                if len(self.items) > self.longest:
                    self.longest = len(self.items)
            def get(self):
                return self.items.pop(0)
        class Clerk:
            def __init__(self, name, speed):
                self.name = name
                self.speed = speed
                self.free_at = 0
                self.served = 0
        seed = 3
        queue = Queue()
        clerks = [Clerk("ann", 5), Clerk("bob", 7)]
        waited = 0
        arrivals = 0
        for minute in range(SIZE):
            seed = (seed * 75 + 74) % 65537
            if seed % 3 == 0:
                queue.put(minute)
                arrivals += 1
            for clerk in clerks:
                if queue.items and clerk.free_at <= minute:
                    came = queue.get()
                    waited += minute - came
                    clerk.free_at = minute + clerk.speed
                    clerk.served += 1
        print("arrivals", arrivals, "longest", queue.longest)
        print("waited", waited)
        print("served", [clerk.served for clerk in clerks])
        """, True),
    Shape("graph", "stdout:/^far/", 60, 400, """
        def build(count):
            seed = 5
            edges = {}
            for node in range(count):
                edges[node] = []
            for node in range(count):
                for turn in range(3):
                    seed = (seed * 75 + 74) % 65537
                    other = seed % count
                    edges[node].append((other, seed % 9 + 1))
                    edges[other].append((node, seed % 9 + 1))
            return edges
        def search(edges, start):
            queue = [start]
            level = {start: 0}
            while queue:
                node = queue.pop(0)
                for other, weight in edges[node]:
                    if other not in level:
                        level[other] = level[node] + 1
                        queue.append(other)
            return level
        edges = build(SIZE)
        level = search(edges, 0)
        print("reached", len(level))
        print("far", max(level.values()))
        print("degree", max(len(each) for each in edges.values()))
        """),
    Shape("strings", "stdout:/^digest/", 220, 2200, """
        def encode(text):
            result = ""
            count = 1
            for index in range(1, len(text) + 1):
                if index < len(text) and text[index] == text[index - 1]:
                    count += 1
                else:
                    result += text[index - 1] + str(count)
                    count = 1
            return result
        def digest(text):
            value = 17
            for letter in text:
                value = (value * 31 + ord(letter)) % 65521
            return value
        text = ""
        seed = 9
        for number in range(SIZE):
            seed = (seed * 75 + 74) % 65537
            text += "ab"[seed // 7 % 2]
        short = encode(text)
        print("length", len(short))
        print("head", short[:10])
        print("digest", digest(short[:20]))
        """, True),
    Shape("knapsack", "stdout:/^best/", 12, 36, """
        def items(count):
            seed = 21
            made = []
            for number in range(count):
                seed = (seed * 75 + 74) % 65537
                made.append((seed % 9 + 1, seed % 31 + 3))
            return made
        def knapsack(goods, room):
            table = [[0] * (room + 1)]
            for weight, worth in goods:
                before = table[-1]
                row = []
                for size in range(room + 1):
                    best = before[size]
                    if weight <= size:
                        other = before[size - weight] + worth
                        if other > best:
                            best = other
                    row.append(best)
                table.append(row)
            return table
        goods = items(SIZE)
        table = knapsack(goods, 2 * SIZE)
        print("goods", goods)
        print("best", table[-1][-1])
        print("half", table[len(goods) // 2][-1])
        """),
    Shape("states", "stdout:/^accepted/", 200, 2000, """
        TABLE = {("start", "d"): "whole", ("start", "s"): "sign", ("sign", "d"): "whole",
                 ("whole", "d"): "whole", ("whole", "p"): "part", ("part", "d"): "part"}
        def kind(letter):
            if letter.isdigit():
                return "d"
            if letter in "+-":
                return "s"
            if letter == ".":
                return "p"
            return "x"
        def accepts(word):
            state = "start"
            for letter in word:
                state = TABLE.get((state, kind(letter)), "error")
                if state == "error":
                    return False
            return state in ("whole", "part")
        seed = 2
        words = []
        for number in range(SIZE // 8):
            word = ""
            for place in range(4):
                seed = (seed * 75 + 74) % 65537
                word += "0123456789+-.x"[seed // 3 % 14]
            words.append(word)
        accepted = 0
        lengths = {}
        for word in words:
            if accepts(word):
                accepted += 1
                lengths[word[0]] = lengths.get(word[0], 0) + 1
        print("words", len(words))
        print("accepted", accepted)
        print("first letters", sorted(lengths.items()))
        """, True),
    Shape("parser", "stdout:/^3:/", 6, 60, """
        class Parser:
            def __init__(self, text):
                self.text = text
                self.at = 0
            def peek(self):
                if self.at < len(self.text):
                    return self.text[self.at]
                return ""
            def take(self):
                letter = self.peek()
                self.at += 1
                return letter
            def number(self):
                digits = ""
                while self.peek().isdigit():
                    digits += self.take()
                return int(digits)
            def factor(self):
                if self.peek() == "(":
                    self.take()
                    value = self.sum()
                    self.take()
                    return value
                return self.number()
            def product(self):
                value = self.factor()
                while self.peek() == "*":
                    self.take()
                    value *= self.factor()
                return value
            def sum(self):
                value = self.product()
                while self.peek() in ("+", "-") and self.peek():
                    if self.take() == "+":
                        value += self.product()
                    else:
                        value -= self.product()
                return value
        seed = 8
        results = []
        for number in range(SIZE):
            seed = (seed * 75 + 74) % 65537
            text = f"({seed % 90}+{seed % 7})*{seed % 5 + 1}-(2*{seed % 13})"
            parser = Parser(text)
            results.append(parser.sum())
            print(f"{number}: {results[-1]}")
        print("all", sum(results))
        """),
    Shape("sorting", "stdout:/^median/", 38, 130, """
        def numbers(count):
            seed = 77
            made = []
            while len(made) < count:
                seed = (seed * 75 + 74) % 65537
                made.append(seed % 1000)
            return made
        def insertion(values):
            ordered = list(values)
            moves = 0
            for index in range(1, len(ordered)):
                value = ordered[index]
                place = index
                while place > 0 and ordered[place - 1] > value:
                    ordered[place] = ordered[place - 1]
                    place -= 1
                    moves += 1
                ordered[place] = value
            return ordered, moves
        values = numbers(SIZE)
        ordered, moves = insertion(values)
        print("moves", moves)
        print("median", ordered[len(ordered) // 2])
        print("ends", ordered[0], ordered[-1])
        """, True),
    Shape("quicksort", "stdout:/^fifth/", 50, 350, """
        def quicksort(values):
            if len(values) < 2:
                return values
            pivot = values[0]
            low = []
            high = []
            for value in values[1:]:
                if value < pivot:
                    low.append(value)
                else:
                    high.append(value)
            return quicksort(low) + [pivot] + quicksort(high)
        seed = 19
        values = []
        for number in range(SIZE):
            seed = (seed * 75 + 74) % 65537
            values.append(seed % 5000)
        ordered = quicksort(values)
        print("first", ordered[0])
        print("fifth", ordered[4])
        print("last", ordered[-1])
        """),
    Shape("memo", "stdout:/^ways/", 90, 900, """
        memo = {}
        hits = 0
        def ways(amount, coins):
            global hits
            if amount == 0:
                return 1
            if amount < 0 or not coins:
                return 0
            key = amount, len(coins)
            if key in memo:
                hits += 1
                return memo[key]
            with_one = ways(amount - coins[0], coins)
            without = ways(amount, coins[1:])
            memo[key] = with_one + without
            return memo[key]
        answer = ways(SIZE, (2, 5, 10))
        print("memo", len(memo), "hits", hits)
        print("ways", answer)
        """, True),
    Shape("generators", "stdout:/^sum/", 140, 1400, """
        def numbers(count, seed):
            for number in range(count):
                seed = (seed * 75 + 74) % 65537
                yield seed % 100
        def odd(source):
            for value in source:
                if value % 2:
                    yield value
        def pairs(source):
            first = None
            for value in source:
                if first is None:
                    first = value
                else:
                    yield first, value
                    first = None
        total = 0
        largest = (0, 0)
        count = 0
        for left, right in pairs(odd(numbers(SIZE, 31))):
            count += 1
            total += left * right % 10
            if left + right > sum(largest):
                largest = left, right
        print("count", count)
        print("sum", total)
        print("largest", largest)
        """),
    Shape("inheritance", "stdout:/^area/", 60, 600, """
        class Shape:
            count = 0
            def __init__(self, name):
                self.name = name
                Shape.count += 1
            def area(self):
                return 0
            def describe(self):
                return f"{self.name} {self.area()}"
        class Rectangle(Shape):
            def __init__(self, width, height):
                super().__init__("rectangle")
                self.width = width
                self.height = height
            def area(self):
                return self.width * self.height
        class Square(Rectangle):
            def __init__(self, side):
                super().__init__(side, side)
                self.name = "square"
        class Triangle(Shape):
            def __init__(self, base, height):
                super().__init__("triangle")
                self.base = base
                self.height = height
            def area(self):
                return self.base * self.height // 2
        shapes = []
        seed = 13
        for number in range(SIZE):
            seed = (seed * 75 + 74) % 65537
            if seed % 3 == 0:
                shapes.append(Square(seed % 20))
            elif seed % 3 == 1:
                shapes.append(Rectangle(seed % 20, seed % 11))
            else:
                shapes.append(Triangle(seed % 20, seed % 12))
        area = 0
        for shape in shapes:
            area += shape.area()
        print("area", area)
        print("count", Shape.count)
        print(shapes[0].describe(), shapes[-1].describe())
        """, True),
    Shape("exceptions", "exception", 130, 1300, """
        class Missing(Exception):
            pass
        def look_up(table, key):
            if key not in table:
                raise Missing(key)
            return table[key]
        def safe(table, key, default):
            try:
                return look_up(table, key)
            except Missing:
                return default
        table = {}
        seed = 4
        failures = 0
        for number in range(SIZE):
            seed = (seed * 75 + 74) % 65537
            key = seed % 60
            if safe(table, key, None) is None:
                failures += 1
                table[key] = number
        print("failures", failures)
        limits = [table.get(key, 0) % 5 for key in range(60)]
        print("ratio", failures // limits[7 % len(limits)] if limits[7] else 0)
        wanted = look_up(table, failures + 1000)
        """),
    Shape("closures", "stdout:/^third/", 110, 1100, """
        def make_counter(step):
            count = 0
            def advance(by=1):
                nonlocal count
                count += step * by
                return count
            return advance
        def make_filter(low, high):
            def inside(value):
                return low <= value < high
            return inside
        counters = [make_counter(step) for step in range(1, 5)]
        filters = [make_filter(10 * place, 10 * place + 25) for place in range(4)]
        seed = 17
        for number in range(SIZE):
            seed = (seed * 75 + 74) % 65537
            value = seed % 60
            for place in range(len(filters)):
                if filters[place](value):
                    counters[place](value % 3)
        print("first", counters[0](0))
        print("third", counters[2](0))
        """, True),
    Shape("sieve", "stdout:/^last/", 270, 2700, """
        limit = SIZE
        sieve = [True] * limit
        sieve[0] = sieve[1] = False
        number = 2
        while number * number < limit:
            if sieve[number]:
                for multiple in range(number * number, limit, number):
                    sieve[multiple] = False
            number += 1
        primes = []
        for number in range(limit):
            if sieve[number]:
                primes.append(number)
        print("count", len(primes))
        print("last", primes[-1])
        """),
    Shape("life", "stdout:/^alive/", 6, 17, """
        def step(cells, size):
            fresh = set()
            for row in range(size):
                for column in range(size):
                    around = 0
                    for down in (-1, 0, 1):
                        for right in (-1, 0, 1):
                            if (down or right) and (row + down, column + right) in cells:
                                around += 1
                    if around == 3 or (around == 2 and (row, column) in cells):
                        fresh.add((row, column))
            return fresh
        size = SIZE
        cells = {(1, 2), (2, 3), (3, 1), (3, 2), (3, 3)}
        for generation in range(2):
            cells = step(cells, size)
            print("generation", generation, len(cells))
        print("alive", sorted(cells)[:2])
        """, True),
    Shape("bank", "stdout:/^carol/", 110, 1100, """
        class Account:
            def __init__(self, owner):
                self.owner = owner
                self.balance = 100
                self.log = []
            def deposit(self, amount):
                self.balance += amount
                self.log.append(("in", amount))
            def withdraw(self, amount):
                if amount > self.balance:
                    self.log.append(("refused", amount))
                    return False
                self.balance -= amount
                self.log.append(("out", amount))
                return True
        class Bank:
            def __init__(self, names):
                self.accounts = {}
                for name in names:
                    self.accounts[name] = Account(name)
            def transfer(self, source, target, amount):
                if self.accounts[source].withdraw(amount):
                    self.accounts[target].deposit(amount)
        names = ["ann", "bob", "carol", "dave"]
        bank = Bank(names)
        seed = 23
        for number in range(SIZE):
            seed = (seed * 75 + 74) % 65537
            bank.transfer(names[seed % 4], names[seed // 4 % 4], seed % 70)
        for name in names:
            print(name, bank.accounts[name].balance, len(bank.accounts[name].log))
        """),
    Shape("text", "stdout:/^longest/", 240, 2400, """
        WORDS = "the quick brown fox jumps over a lazy dog while seven wizards brew".split()
        seed = 41
        words = []
        for number in range(SIZE):
            seed = (seed * 75 + 74) % 65537
            words.append(WORDS[seed // 5 % len(WORDS)])
        def wrap(words, width):
            lines = []
            line = ""
            for word in words:
                if len(line) + len(word) + 1 > width:
                    lines.append(line)
                    line = word
                else:
                    line = line + " " + word if line else word
            lines.append(line)
            return lines
        lines = wrap(words, 40)
        counts = {}
        for word in words:
            counts[word] = counts.get(word, 0) + 1
        print("lines", len(lines))
        print("longest", max(len(line) for line in lines))
        print("common", max(counts, key=counts.get))
        """, True),
    Shape("linked", "stdout:/^reversed/", 100, 1000, """
        class Link:
            def __init__(self, value, rest=None):
                self.value = value
                self.rest = rest
        class Chain:
            def __init__(self):
                self.head = None
                self.size = 0
            def push(self, value):
                self.head = Link(value, self.head)
                self.size += 1
            def reverse(self):
                before = None
                link = self.head
                while link is not None:
                    after = link.rest
                    link.rest = before
                    before = link
                    link = after
                self.head = before
            def first(self, count):
                found = []
                link = self.head
                while link is not None and len(found) < count:
                    found.append(link.value)
                    link = link.rest
                return found
        chain = Chain()
        seed = 6
        for number in range(SIZE):
            seed = (seed * 75 + 74) % 65537
            chain.push(seed % 100)
        print("size", chain.size)
        print("front", chain.first(4))
        chain.reverse()
        print("reversed", chain.first(4))
        """),
    Shape("hanoi", "stdout:/^pegs/", 7, 10, """
        pegs = {"a": list(range(SIZE, 0, -1)), "b": [], "c": []}
        moves = 0
        def move(source, target):
            global moves
            disk = pegs[source].pop()
            pegs[target].append(disk)
            moves += 1
        def hanoi(count, source, target, spare):
            if count == 0:
                return
            hanoi(count - 1, source, spare, target)
            move(source, target)
            hanoi(count - 1, spare, target, source)
        hanoi(SIZE, "a", "c", "b")
        print("moves", moves)
        print("pegs", [len(pegs[name]) for name in "abc"])
        """, True),
    Shape("queens", "stdout:/^solution/", 5, 6, """
        def safe(placed, row, column):
            for other_row, other in enumerate(placed):
                if other == column:
                    return False
                if abs(other - column) == row - other_row:
                    return False
            return True
        tried = 0
        solutions = []
        def place(placed, size):
            global tried
            row = len(placed)
            if row == size:
                solutions.append(list(placed))
                return
            for column in range(size):
                tried += 1
                if safe(placed, row, column):
                    placed.append(column)
                    place(placed, size)
                    placed.pop()
        place([], SIZE)
        print("tried", tried)
        print("solutions", len(solutions))
        """, True),
    Shape("events", "stdout:/^alarm/", 120, 1200, """
        handlers = {}
        log = []
        def on(name, handler):
            handlers.setdefault(name, []).append(handler)
        def emit(name, value):
            for handler in handlers.get(name, []):
                handler(value)
        state = {"level": 0, "alarms": 0, "last": None}
        def fill(value):
            state["level"] += value
            if state["level"] > 100:
                emit("alarm", state["level"])
        def drain(value):
            state["level"] = max(0, state["level"] - value)
        def alarm(value):
            state["alarms"] += 1
            state["last"] = value
            state["level"] = 50
        def record(value):
            log.append(value)
        on("fill", fill)
        on("drain", drain)
        on("alarm", alarm)
        on("fill", record)
        on("drain", record)
        seed = 29
        for number in range(SIZE):
            seed = (seed * 75 + 74) % 65537
            emit("fill" if seed % 3 else "drain", seed % 30)
        print("log", len(log), sum(log))
        print("alarms", state["alarms"])
        print("level", state["level"])
        """, True),
    Shape("statistics", "stdout:/^variance/", 190, 1900, """
        def readings(count):
            seed = 37
            values = []
            for number in range(count):
                seed = (seed * 75 + 74) % 65537
                values.append(seed % 200 - 100)
            return values
        def smooth(values, window):
            result = []
            total = 0
            for index, value in enumerate(values):
                total += value
                if index >= window:
                    total -= values[index - window]
                result.append(total // window)
            return result
        def moments(values):
            total = 0
            squares = 0
            for value in values:
                total += value
                squares += value * value
            mean = total / len(values)
            return mean, squares / len(values) - mean * mean
        values = readings(SIZE)
        smoothed = smooth(values, 5)
        mean, variance = moments(values)
        print("smooth", max(smoothed))
        print("mean", round(mean, 2))
        print("variance", round(variance))
        """),
]  # fmt: skip


def shape_named(name: str) -> Shape:
    """The one of that name."""
    (found,) = (each for each in SHAPES if each.name == name)
    return found
