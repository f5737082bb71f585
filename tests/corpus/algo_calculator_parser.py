import re

class ParseError(Exception):
    pass

def tokenize(text):
    position = 0
    pattern = re.compile(r"\s*(?:(\d+\.?\d*)|(.))")
    while position < len(text.rstrip()):
        m = pattern.match(text, position)
        position = m.end()
        yield ("num", float(m[1])) if m[1] else ("op", m[2])
    yield ("end", None)

class Parser:
    def __init__(self, text):
        self.tokens = tokenize(text)
        self.advance()

    def advance(self): self.kind, self.value = next(self.tokens)

    def expression(self):
        left = self.term()
        while self.kind == "op" and self.value in "+-":
            op = self.value
            self.advance()
            right = self.term()
            left = left + right if op == "+" else left - right
        return left

    def term(self):
        left = self.factor()
        while self.kind == "op" and self.value in ("*", "/"):
            op = self.value; self.advance()
            if op == "*": left *= self.factor()
            else: left /= self.factor()
        return left

    def factor(self):
        if self.kind == "num":
            value = self.value
            self.advance()
            return value
        if self.value == "-":
            self.advance()
            return -self.factor()
        if self.value == "(":
            self.advance()
            value = self.expression()
            if self.value != ")": raise ParseError(f"expected ) got {self.value}")
            self.advance()
            return value
        raise ParseError(f"unexpected {self.value!r}")

for text in ("1 + 2 * 3", "(1+2)*3", "-4 / (2 - 4)", "2 * (3", "1 / 0", "7 +", "2*-3.5"):
    try:
        print(text, "=", Parser(text).expression())
    except (ParseError, ZeroDivisionError) as e:
        print(text, "->", type(e).__name__, e)
