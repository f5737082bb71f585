"""Templates: {{ name.part | filter }}, {% if a %}...{% else %}...{% end %}, {% for a in b %}."""


def pieces(text):
    """Pairs of kind (text, value, block) and content."""
    found = []
    position = 0
    while position < len(text):
        opening = text.find("{", position)
        while opening >= 0 and text[opening + 1 : opening + 2] not in ("{", "%"):
            opening = text.find("{", opening + 1)
        if opening < 0:
            found.append(("text", text[position:]))
            break
        if opening > position:
            found.append(("text", text[position:opening]))
        kind, end = ("value", "}}") if text[opening + 1] == "{" else ("block", "%}")
        closing = text.find(end, opening + 2)
        if closing < 0:
            raise ValueError("not closed")
        found.append((kind, text[opening + 2 : closing].strip()))
        position = closing + 2
    return found


def parse(text):
    """A list of nodes: texts, ("value", expression), ("if", ...), and ("for", ...)."""
    top = []
    stack = [(None, top)]
    for kind, content in pieces(text):
        nodes = stack[-1][1]
        if kind == "text":
            nodes.append(content)
            continue
        if kind == "value":
            nodes.append(("value", content))
            continue
        word, _, rest = content.partition(" ")
        if word == "if":
            node = ("if", rest.strip(), [], [])
            nodes.append(node)
            stack.append((node, node[2]))
        elif word == "for":
            name, _, source = rest.partition(" in ")
            node = ("for", name.strip(), source.strip(), [])
            nodes.append(node)
            stack.append((node, node[3]))
        elif word == "else":
            node, _ = stack.pop()
            if node is None or node[0] != "if":
                raise ValueError("else without if")
            stack.append((node, node[3]))
        elif word == "end":
            node, _ = stack.pop()
            if node is None:
                raise ValueError("end of nothing")
        else:
            raise ValueError(f"unknown block {word}")
    if len(stack) > 1:
        raise ValueError(f"no end of {stack[-1][0][0]}")
    return top


def looked_up(name, values):
    first, *parts = name.split(".")
    if first not in values:
        return ""
    value = values[first]
    for part in parts:
        if isinstance(value, dict):
            value = value.get(part, "")
        elif part.isdigit() and isinstance(value, (list, tuple)):
            value = value[int(part)] if int(part) < len(value) else ""
        else:
            value = getattr(value, part, "")
    return value


def escaped(text):
    for char, code in (("&", "&amp;"), ("<", "&lt;"), (">", "&gt;"), ('"', "&quot;")):
        text = text.replace(char, code)
    return text


def cut(value, width):
    text = str(value)
    width = int(width)
    if len(text) <= width:
        return text
    return text[: width - 1].rstrip() + "~"


FILTERS = {
    "upper": lambda value: str(value).upper(),
    "length": len,
    "join": lambda value, separator=", ": separator.join(map(str, value)),
    "default": lambda value, other="": value if value or value == 0 else other,
    "cut": cut,
}


def computed(expression, values):
    name, *filters = [part.strip() for part in expression.split("|")]
    value = looked_up(name, values)
    safe = False
    for each in filters:
        if each == "safe":
            safe = True
            continue
        word, colon, argument = each.partition(":")
        value = FILTERS[word](value, argument) if colon else FILTERS[word](value)
    text = "" if value is None else str(value)
    return text if safe else escaped(text)


def render(nodes, values):
    result = []
    for node in nodes:
        if isinstance(node, str):
            result.append(node)
        elif node[0] == "value":
            result.append(computed(node[1], values))
        elif node[0] == "if":
            name = node[1]
            negated = name.startswith("not ")
            holds = bool(looked_up(name.removeprefix("not ").strip(), values))
            result.append(render(node[2] if holds != negated else node[3], values))
        else:
            items = list(looked_up(node[2], values))
            for number, item in enumerate(items, 1):
                inner = dict(values)
                inner[node[1]] = item
                inner["loop"] = {"number": number, "last": number == len(items)}
                result.append(render(node[3], inner))
    return "".join(result)


def rendered(text, **values):
    return render(parse(text), values)
