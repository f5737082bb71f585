"""A sheet of cells: names like B12, ranges, formulas, what depends on what, filling down."""

import re

REFERENCE = re.compile(r"(\$?)([A-Z]+)(\$?)(\d+)")
TOKEN = re.compile(r"\s*(\d+(?:\.\d+)?|[A-Z]+\d+:[A-Z]+\d+|[A-Z]+\d+|[A-Z]+|[-+*/(),])")


def column_number(letters):
    number = 0
    for letter in letters:
        number = number * 26 + ord(letter) - ord("A") + 1
    return number


def column_letters(number):
    letters = ""
    while number > 0:
        number, rest = divmod(number - 1, 26)
        letters = chr(ord("A") + rest) + letters
    return letters


def place(name):
    match = REFERENCE.fullmatch(name)
    if match is None:
        raise ValueError(f"no cell {name}")
    return column_number(match[2]), int(match[4])


def spanned(first, last):
    """The names of all cells between two corners, row by row."""
    left, top = place(first)
    right, bottom = place(last)
    if left > right:
        left, right = right, left
    if top > bottom:
        top, bottom = bottom, top
    names = []
    for row in range(top, bottom + 1):
        for column in range(left, right + 1):
            names.append(f"{column_letters(column)}{row}")
    return names


def moved(formula, columns, rows):
    """The formula as it is when copied so far to the right and down; what has a $ stays."""

    def shifted(match):
        fixed_column, letters, fixed_row, number = match.groups()
        if not fixed_column:
            column = column_number(letters) + columns
            letters = column_letters(column) if column > 0 else "?"
        if not fixed_row:
            number = int(number) + rows
        return f"{fixed_column}{letters}{fixed_row}{number}"

    return REFERENCE.sub(shifted, formula)


class Sheet:
    def __init__(self):
        self.contents = {}
        self.known = {}

    def put(self, name, content):
        place(name)
        if content is None:
            self.contents.pop(name, None)
        else:
            self.contents[name] = content
        for other in self.dependents(name):
            self.known.pop(other, None)

    def needs(self, name):
        """The cells that its formula names."""
        content = self.contents.get(name)
        if not isinstance(content, str) or not content.startswith("="):
            return set()
        found = set()
        for token in TOKEN.findall(content[1:].replace("$", "")):
            if ":" in token:
                found.update(spanned(*token.split(":")))
            elif REFERENCE.fullmatch(token):
                found.add(token)
        return found

    def dependents(self, name):
        """The cell, and all that depend on it however far."""
        found = {name}
        waiting = [name]
        while waiting:
            current = waiting.pop()
            for other in self.contents:
                if other not in found and current in self.needs(other):
                    found.add(other)
                    waiting.append(other)
        return found

    def value(self, name, path=()):
        if name in self.known:
            return self.known[name]
        if name in path:
            raise RecursionError(" ".join([*path[path.index(name) :], name]))
        content = self.contents.get(name, 0)
        if isinstance(content, str) and content.startswith("="):
            tokens = TOKEN.findall(content[1:].replace("$", ""))
            content, rest = self.total(tokens, (*path, name))
            if rest:
                raise SyntaxError(f"too much: {rest[0]}")
        self.known[name] = content
        return content

    def total(self, tokens, path):
        value, tokens = self.product(tokens, path)
        while tokens and tokens[0] in "+-":
            sign = tokens[0]
            right, tokens = self.product(tokens[1:], path)
            value = value + right if sign == "+" else value - right
        return value, tokens

    def product(self, tokens, path):
        value, tokens = self.factor(tokens, path)
        while tokens and tokens[0] in "*/":
            sign = tokens[0]
            right, tokens = self.factor(tokens[1:], path)
            value = value * right if sign == "*" else value / right
        return value, tokens

    def factor(self, tokens, path):
        if not tokens:
            raise SyntaxError("something is missing")
        token, *tokens = tokens
        if token == "-":
            value, tokens = self.factor(tokens, path)
            return -value, tokens
        if token == "(":
            value, tokens = self.total(tokens, path)
            return value, tokens[1:]
        if token[0].isdigit():
            return float(token) if "." in token else int(token), tokens
        if REFERENCE.fullmatch(token):
            return self.value(token, path), tokens
        return self.called(token, tokens[1:], path)

    def called(self, function, tokens, path):
        values = []
        while tokens[0] != ")":
            if ":" in tokens[0]:
                for name in spanned(*tokens[0].split(":")):
                    if name in self.contents:
                        values.append(self.value(name, path))
                tokens = tokens[1:]
            else:
                value, tokens = self.total(tokens, path)
                values.append(value)
            if tokens[0] == ",":
                tokens = tokens[1:]
        numbers = [value for value in values if not isinstance(value, str)]
        if function == "SUM":
            result = sum(numbers)
        elif function == "AVG":
            result = sum(numbers) / len(numbers) if numbers else 0
        elif function == "MAX":
            result = max(numbers, default=0)
        elif function == "COUNT":
            result = len(numbers)
        else:
            raise NameError(function)
        return result, tokens[1:]

    def fill_down(self, name, count):
        column, row = place(name)
        content = self.contents[name]
        for step in range(1, count + 1):
            target = f"{column_letters(column)}{row + step}"
            if isinstance(content, str) and content.startswith("="):
                self.put(target, moved(content, 0, step))
            else:
                self.put(target, content)
