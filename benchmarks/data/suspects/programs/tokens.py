"""A language of conditions: price < 20 and not (kind in ("a", "b") or name like "x*")."""

WORDS = {"and", "or", "not", "in", "like", "between", "true", "false", "none"}


def scan(text):
    """Triples: kind (number, text, name, word, sign), value, and position."""
    tokens = []
    index = 0
    while index < len(text):
        char = text[index]
        start = index
        if char in " \t\n":
            index += 1
            continue
        if char.isdigit():
            while index < len(text) and (text[index].isdigit() or text[index] in "._"):
                index += 1
            digits = text[start:index].replace("_", "")
            value = float(digits) if "." in digits else int(digits)
            tokens.append(("number", value, start))
        elif char.isalpha() or char == "_":
            while index < len(text) and (text[index].isalnum() or text[index] in "._"):
                index += 1
            word = text[start:index]
            if word.lower() in WORDS:
                tokens.append(("word", word.lower(), start))
            else:
                tokens.append(("name", word, start))
        elif char in "\"'":
            value = ""
            index += 1
            while index < len(text) and text[index] != char:
                if text[index] == "\\" and index + 1 < len(text):
                    index += 1
                value += text[index]
                index += 1
            if index == len(text):
                raise SyntaxError(f"text not closed at {start}")
            index += 1
            tokens.append(("text", value, start))
        elif text[index : index + 2] in ("<=", ">=", "!="):
            tokens.append(("sign", text[index : index + 2], start))
            index += 2
        elif char in "<>=(),-":
            tokens.append(("sign", char, start))
            index += 1
        else:
            raise SyntaxError(f"unexpected {char} at {index}")
    tokens.append(("end", None, len(text)))
    return tokens


class Reader:
    """Makes trees of nested tuples."""

    def __init__(self, text):
        self.tokens = scan(text)
        self.place = 0

    def takes(self, *values):
        kind, value, _ = self.tokens[self.place]
        if kind in ("word", "sign") and value in values:
            self.place += 1
            return value
        return None

    def needs(self, value):
        if not self.takes(value):
            raise SyntaxError(f"{value} expected at {self.tokens[self.place][2]}")

    def whole(self):
        tree = self.either()
        kind, _, position = self.tokens[self.place]
        if kind != "end":
            raise SyntaxError(f"too much at {position}")
        return tree

    def either(self):
        tree = self.both()
        while self.takes("or"):
            tree = ("or", tree, self.both())
        return tree

    def both(self):
        tree = self.negation()
        while self.takes("and"):
            tree = ("and", tree, self.negation())
        return tree

    def negation(self):
        if self.takes("not"):
            return ("not", self.negation())
        return self.comparison()

    def comparison(self):
        left = self.operand()
        if sign := self.takes("<", ">", "<=", ">=", "=", "!="):
            return (sign, left, self.operand())
        negated = self.takes("not")
        if self.takes("in"):
            tree = ("in", left, self.list())
        elif self.takes("like"):
            tree = ("like", left, self.operand())
        elif self.takes("between"):
            low = self.operand()
            self.needs("and")
            tree = ("between", left, low, self.operand())
        elif negated:
            raise SyntaxError("not what?")
        else:
            return left
        return ("not", tree) if negated else tree

    def list(self):
        self.needs("(")
        items = []
        while not self.takes(")"):
            items.append(self.operand())
            if not self.takes(","):
                self.needs(")")
                break
        return items

    def operand(self):
        kind, value, position = self.tokens[self.place]
        if self.takes("("):
            tree = self.either()
            self.needs(")")
            return tree
        if self.takes("-"):
            return ("minus", self.operand())
        self.place += 1
        if kind == "name":
            return ("name", value)
        if kind in ("number", "text"):
            return ("value", value)
        if kind == "word" and value in ("true", "false", "none"):
            return ("value", {"true": True, "false": False, "none": None}[value])
        raise SyntaxError(f"unexpected {value} at {position}")


def like(text, pattern):
    """``*`` stands for any text, ``?`` for a character; capitals do not matter."""
    text, pattern = text.lower(), pattern.lower()
    place = 0
    star = mark = -1
    here = 0
    while here < len(text):
        if place < len(pattern) and pattern[place] == "*":
            star, mark = place, here
            place += 1
        elif place < len(pattern) and pattern[place] in ("?", text[here]):
            place += 1
            here += 1
        elif star >= 0:
            mark += 1
            place, here = star + 1, mark
        else:
            return False
    return not pattern[place:].strip("*")


def value_of(tree, row):
    kind, *parts = tree
    if kind == "value":
        return parts[0]
    if kind == "name":
        value = row
        for part in parts[0].split("."):
            value = value.get(part) if isinstance(value, dict) else None
        return value
    if kind == "minus":
        return -value_of(parts[0], row)
    if kind == "not":
        return not value_of(parts[0], row)
    if kind == "and":
        return value_of(parts[0], row) and value_of(parts[1], row)
    if kind == "or":
        return value_of(parts[0], row) or value_of(parts[1], row)
    left = value_of(parts[0], row)
    if kind == "in":
        return left in [value_of(item, row) for item in parts[1]]
    right = value_of(parts[1], row)
    if kind == "=":
        return left == right
    if kind == "!=":
        return left != right
    if left is None or right is None:
        return False
    if kind == "like":
        return like(left, right)
    if kind == "between":
        return right <= left <= value_of(parts[2], row)
    return {"<": left < right, ">": left > right, "<=": left <= right, ">=": left >= right}[kind]


def names(tree):
    """All names in a tree, each once, in the order of their first places."""
    if tree[0] == "name":
        return [tree[1]]
    found = []
    for part in tree[1:]:
        for each in part if isinstance(part, list) else [part]:
            if isinstance(each, tuple):
                found += [name for name in names(each) if name not in found]
    return found


def select(rows, text):
    tree = Reader(text).whole()
    return [row for row in rows if value_of(tree, row)]
