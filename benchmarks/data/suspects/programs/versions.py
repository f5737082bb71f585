"""Versions and what is required of them: order, ranges, choosing, solving."""


def parsed(text):
    """Numbers, and the pre-release: "1.2.0-beta.2" is ((1, 2, 0), ("beta", 2))."""
    main, _, pre = text.partition("-")
    numbers = tuple(int(part) for part in main.split("."))
    while len(numbers) < 3:
        numbers += (0,)
    marks = tuple(int(part) if part.isdigit() else part for part in pre.split(".") if part)
    return numbers, marks


def compared(one, other):
    """-1, 0 or 1; a pre-release is before its release, numbers before words."""
    left, left_marks = parsed(one)
    right, right_marks = parsed(other)
    if left != right:
        return -1 if left < right else 1
    if not left_marks or not right_marks:
        return bool(right_marks) * 1 - bool(left_marks) * 1
    for mine, yours in zip(left_marks, right_marks):
        if mine == yours:
            continue
        if isinstance(mine, int) != isinstance(yours, int):
            return -1 if isinstance(mine, int) else 1
        return -1 if mine < yours else 1
    return (len(left_marks) > len(right_marks)) - (len(left_marks) < len(right_marks))


def bounds(requirement):
    """The lower and the upper bound of ^1.2, ~1.2.3, 1.*; the upper one is not part of it."""
    if requirement.endswith(".*"):
        parts = [int(part) for part in requirement[:-2].split(".")]
        upper = parts[:-1] + [parts[-1] + 1]
    else:
        parts = [int(part) for part in requirement[1:].split(".")]
        if requirement[0] == "^":
            place = 0
            while place < len(parts) - 1 and parts[place] == 0:
                place += 1
        else:
            place = min(1, len(parts) - 1)
        upper = parts[:place] + [parts[place] + 1]
    return text_of(parts), text_of(upper)


def text_of(parts):
    padded = [*parts, 0, 0, 0][: max(3, len(parts))]
    return ".".join(str(part) for part in padded)


def fits(version, requirement):
    """Whether all of ">=1.2, <2" hold; "*" always does."""
    for part in requirement.split(","):
        part = part.strip()
        if part == "*":
            continue
        if part[0] in "^~" or part.endswith(".*"):
            low, high = bounds(part)
            if compared(version, low) < 0 or compared(version, high) >= 0:
                return False
            continue
        sign = part.rstrip("0123456789.-abcdefghijklmnopqrstuvwxyz")
        order = compared(version, part[len(sign) :].strip())
        holds = {
            ">": order > 0,
            ">=": order >= 0,
            "<": order < 0,
            "<=": order <= 0,
            "!=": order != 0,
            "": order == 0,
        }[sign.strip()]
        if not holds:
            return False
    return True


def newest(versions, requirement="*", early=False):
    """The highest that fits; no pre-releases, unless wanted or nothing else fits."""
    best = best_early = None
    for version in versions:
        if not fits(version, requirement):
            continue
        if parsed(version)[1] and not early:
            if best_early is None or compared(version, best_early) > 0:
                best_early = version
        elif best is None or compared(version, best) > 0:
            best = version
    return best or best_early


def raised(version, part):
    """The next major, minor or patch version; of a pre-release it may be its release."""
    (major, minor, patch), marks = parsed(version)
    if part == "major":
        if not (marks and minor == 0 and patch == 0):
            major += 1
        minor = patch = 0
    elif part == "minor":
        if not (marks and patch == 0):
            minor += 1
        patch = 0
    elif not marks:
        patch += 1
    return f"{major}.{minor}.{patch}"


def solved(index, wanted):
    """Versions for all that is wanted and what that needs, the newest first; None if none do.

    ``index``: for each name, versions with what each needs.
    """

    def search(chosen, open_needs):
        if not open_needs:
            return chosen
        (name, requirement), *others = open_needs
        if name in chosen:
            return search(chosen, others) if fits(chosen[name], requirement) else None
        candidates = [version for version in index.get(name, {}) if fits(version, requirement)]
        while candidates:
            version = newest(candidates, early=True)
            candidates.remove(version)
            needs = list(index[name][version].items())
            found = search({**chosen, name: version}, others + needs)
            if found is not None:
                return found
        return None

    return search({}, list(wanted.items()))
