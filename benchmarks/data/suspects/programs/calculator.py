"""Arithmetic from text: tokens, a parser by precedence, and the other notation."""


def tokens(text):
    found = []
    index = 0
    while index < len(text):
        char = text[index]
        if char.isspace():
            index += 1
        elif char.isdigit():
            end = index
            while end < len(text) and text[end].isdigit():
                end += 1
            found.append(int(text[index:end]))
            index = end
        elif char in "+-*/^()":
            found.append(char)
            index += 1
        else:
            raise SyntaxError(f"unexpected {char!r}")
    return found


BINDING = {"+": 1, "-": 1, "*": 2, "/": 2, "^": 3}


def evaluate(text):
    rest = tokens(text)
    value = expression(rest, 0)
    if rest:
        raise SyntaxError("trailing")
    return value


def expression(rest, least):
    value = operand(rest)
    while rest and rest[0] in BINDING:
        operator = rest[0]
        binding = BINDING[operator]
        if binding < least:
            break
        rest.pop(0)
        if operator == "^":
            right = expression(rest, binding)
        else:
            right = expression(rest, binding + 1)
        value = apply(operator, value, right)
    return value


def operand(rest):
    if not rest:
        raise SyntaxError("unexpected end")
    token = rest.pop(0)
    if token == "-":
        return -expression(rest, 2)
    if token == "(":
        value = expression(rest, 0)
        if not rest or rest.pop(0) != ")":
            raise SyntaxError("no )")
        return value
    if isinstance(token, int):
        return token
    raise SyntaxError(f"unexpected {token}")


def apply(operator, left, right):
    if operator == "+":
        return left + right
    if operator == "-":
        return left - right
    if operator == "*":
        return left * right
    if operator == "/":
        return left / right
    return left**right


def postfix(text):
    output = []
    stack = []
    for token in tokens(text):
        if isinstance(token, int):
            output.append(token)
        elif token == "(":
            stack.append(token)
        elif token == ")":
            while stack[-1] != "(":
                output.append(stack.pop())
            stack.pop()
        else:
            while stack and stack[-1] != "(" and BINDING[stack[-1]] >= BINDING[token]:
                output.append(stack.pop())
            stack.append(token)
    while stack:
        output.append(stack.pop())
    return output
