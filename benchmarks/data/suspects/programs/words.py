"""Texts: wrapped, justified, counted, abbreviated."""


def wrap(text, width):
    lines = []
    line = ""
    for word in text.split():
        if not line:
            line = word
        elif len(line) + 1 + len(word) <= width:
            line += " " + word
        else:
            lines.append(line)
            line = word
    if line:
        lines.append(line)
    return lines


def justify(line, width):
    words = line.split()
    if len(words) < 2:
        return line.ljust(width)
    letters = sum(len(word) for word in words)
    spaces = width - letters
    each, more = divmod(spaces, len(words) - 1)
    result = words[0]
    for number, word in enumerate(words[1:]):
        gap = each + (1 if number < more else 0)
        result += " " * gap + word
    return result


def common(text, count):
    seen = {}
    for word in text.lower().split():
        word = word.strip(".,;!?")
        if not word:
            continue
        seen[word] = seen.get(word, 0) + 1
    ordered = sorted(seen.items(), key=lambda pair: (-pair[1], pair[0]))
    return ordered[:count]


def title(text):
    small = {"a", "an", "and", "of", "the", "in"}
    words = text.lower().split()
    result = []
    for number, word in enumerate(words):
        first_or_last = number == 0 or number == len(words) - 1
        if word in small and not first_or_last:
            result.append(word)
        else:
            result.append(word[0].upper() + word[1:])
    return " ".join(result)


def is_palindrome(text):
    low, high = 0, len(text) - 1
    while low < high:
        if not text[low].isalnum():
            low += 1
        elif not text[high].isalnum():
            high -= 1
        elif text[low].lower() != text[high].lower():
            return False
        else:
            low += 1
            high -= 1
    return True


def shortened(text, width):
    if len(text) <= width:
        return text
    if width <= 3:
        return "." * width
    cut = text[: width - 3]
    if " " in cut:
        cut = cut[: cut.rindex(" ")]
    return cut + "..."
