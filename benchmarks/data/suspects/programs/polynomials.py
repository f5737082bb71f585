"""Polynomials as lists of coefficients, the constant first: arithmetic, roots, text."""

import re
from fractions import Fraction

TERM = re.compile(r"([+-]?)\s*(\d*)\s*\*?\s*(x?)(?:\^(\d+))?")


def trimmed(poly):
    """Without zeros in front of the highest power; nothing is the zero polynomial."""
    last = len(poly)
    while last > 0 and poly[last - 1] == 0:
        last -= 1
    return list(poly[:last])


def added(one, other, factor=1):
    size = max(len(one), len(other))
    result = [0] * size
    for power, value in enumerate(one):
        result[power] += value
    for power, value in enumerate(other):
        result[power] += factor * value
    return trimmed(result)


def multiplied(one, other):
    if not one or not other:
        return []
    result = [0] * (len(one) + len(other) - 1)
    for i, a in enumerate(one):
        for j, b in enumerate(other):
            result[i + j] += a * b
    return trimmed(result)


def divided(one, other):
    """The quotient and the rest."""
    other = trimmed(other)
    if not other:
        raise ZeroDivisionError("by the zero polynomial")
    rest = trimmed(one)
    quotient = [0] * max(0, len(rest) - len(other) + 1)
    while len(rest) >= len(other):
        factor = Fraction(rest[-1], other[-1])
        shift = len(rest) - len(other)
        quotient[shift] = factor
        for power, value in enumerate(other):
            rest[power + shift] -= factor * value
        rest = trimmed(rest)
    return trimmed(quotient), rest


def greatest_divisor(one, other):
    """With one as its highest coefficient."""
    one, other = trimmed(one), trimmed(other)
    while other:
        one, other = other, divided(one, other)[1]
    if not one:
        return []
    return [Fraction(value) / one[-1] for value in one]


def value(poly, x):
    result = 0
    for coefficient in reversed(poly):
        result = result * x + coefficient
    return result


def derived(poly, times=1):
    for _ in range(times):
        poly = [power * value for power, value in enumerate(poly)][1:]
    return list(poly)


def integral(poly, low, high):
    """From low to high."""
    whole = [0]
    for power, value_here in enumerate(poly):
        whole.append(Fraction(value_here, power + 1))
    return value(whole, high) - value(whole, low)


def composed(outer, inner):
    """outer of inner of x."""
    result = []
    for coefficient in reversed(outer):
        result = added(multiplied(result, inner), [coefficient])
    return result


def through(points):
    """The polynomial of least degree through some points."""
    result = []
    for i, (x, y) in enumerate(points):
        part = [Fraction(y)]
        for j, (other, _) in enumerate(points):
            if j != i:
                part = multiplied(part, [Fraction(-other, x - other), Fraction(1, x - other)])
        result = added(result, part)
    return result


def whole_roots(poly):
    """The roots that are whole numbers, each as often as it is one, the smallest first."""
    poly = trimmed(poly)
    roots = []
    while poly and poly[0] == 0:
        roots.append(0)
        poly = poly[1:]
    if not poly:
        return roots
    limit = abs(poly[0])
    for candidate in range(-limit, limit + 1):
        while candidate and len(poly) > 1 and value(poly, candidate) == 0:
            roots.append(candidate)
            poly = divided(poly, [-candidate, 1])[0]
    return sorted(roots)


def sign_changes(poly):
    signs = [1 if value > 0 else -1 for value in poly if value]
    count = 0
    for before, after in zip(signs, signs[1:]):
        if before != after:
            count += 1
    return count


def shown(poly):
    """As in "x^2 - 3x + 1"."""
    text = ""
    for power in range(len(poly) - 1, -1, -1):
        factor = poly[power]
        if factor == 0:
            continue
        size = abs(factor)
        sign = "-" if factor < 0 else "+"
        if text:
            text += f" {sign} "
        elif factor < 0:
            text += "-"
        if size != 1 or power == 0:
            text += str(size)
        if power > 0:
            text += "x" if power == 1 else f"x^{power}"
    return text or "0"


def parsed(text):
    powers = {}
    for sign, digits, letter, exponent in TERM.findall(text):
        if not digits and not letter:
            continue
        factor = int(digits) if digits else 1
        if sign == "-":
            factor = -factor
        power = 0 if not letter else int(exponent) if exponent else 1
        powers[power] = powers.get(power, 0) + factor
    return trimmed([powers.get(power, 0) for power in range(max(powers, default=-1) + 1)])
