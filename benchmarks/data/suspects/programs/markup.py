"""Small formats: CSV lines, headings and lists, templates, paths, query strings."""


def split_row(line, separator=","):
    fields = []
    field = ""
    quoted = False
    index = 0
    while index < len(line):
        char = line[index]
        if quoted:
            if char == '"' and line[index + 1 : index + 2] == '"':
                field += '"'
                index += 1
            elif char == '"':
                quoted = False
            else:
                field += char
        elif char == '"':
            quoted = True
        elif char == separator:
            fields.append(field)
            field = ""
        else:
            field += char
        index += 1
    fields.append(field)
    return fields


def render(lines):
    result = []
    in_list = False
    for line in lines:
        is_item = line.startswith("* ")
        if in_list and not is_item:
            result.append("</ul>")
            in_list = False
        if is_item:
            if not in_list:
                result.append("<ul>")
                in_list = True
            result.append(f"<li>{line[2:]}</li>")
        elif line.startswith("#"):
            level = len(line) - len(line.lstrip("#"))
            if level > 6:
                level = 6
            result.append(f"<h{level}>{line[level:].strip()}</h{level}>")
        elif line:
            result.append(f"<p>{line}</p>")
    if in_list:
        result.append("</ul>")
    return result


def fill(template, values):
    result = ""
    rest = template
    while "{" in rest:
        before, _, rest = rest.partition("{")
        result += before
        if rest.startswith("{"):
            result += "{"
            rest = rest[1:]
            continue
        name, closed, rest = rest.partition("}")
        if not closed:
            raise ValueError("not closed")
        name, _, default = name.partition(":")
        result += str(values.get(name, default))
    return result + rest


def normal_path(path):
    parts = []
    absolute = path.startswith("/")
    for part in path.split("/"):
        if part in ("", "."):
            continue
        if part == "..":
            if parts and parts[-1] != "..":
                parts.pop()
            elif not absolute:
                parts.append(part)
        else:
            parts.append(part)
    text = "/".join(parts)
    if absolute:
        return "/" + text
    return text or "."


def query(text):
    result = {}
    for pair in text.lstrip("?").split("&"):
        if not pair:
            continue
        name, _, value = pair.partition("=")
        value = value.replace("+", " ")
        if name in result:
            result[name].append(value)
        else:
            result[name] = [value]
    return result


def version_key(text):
    key = []
    for part in text.split("."):
        number = ""
        for char in part:
            if not char.isdigit():
                break
            number += char
        rest = part[len(number) :]
        key.append((int(number or 0), not rest, rest))
    while key and key[-1] == (0, True, ""):
        key.pop()
    return key
