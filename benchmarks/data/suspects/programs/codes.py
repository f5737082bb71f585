"""Codes: numerals, run lengths, ciphers, check digits, bases."""

NUMERALS = [(1000, "M"), (900, "CM"), (500, "D"), (400, "CD"), (100, "C"), (90, "XC"),
            (50, "L"), (40, "XL"), (10, "X"), (9, "IX"), (5, "V"), (4, "IV"), (1, "I")]
VALUES = {"M": 1000, "D": 500, "C": 100, "L": 50, "X": 10, "V": 5, "I": 1}


def to_roman(number):
    if not 0 < number < 4000:
        raise ValueError("out of range")
    result = ""
    for value, letters in NUMERALS:
        while number >= value:
            result += letters
            number -= value
    return result


def from_roman(text):
    total = 0
    before = 0
    for letter in reversed(text):
        value = VALUES[letter]
        if value < before:
            total -= value
        else:
            total += value
            before = value
    return total


def packed(text):
    result = []
    index = 0
    while index < len(text):
        end = index
        while end < len(text) and text[end] == text[index]:
            end += 1
        count = end - index
        result.append(f"{count}{text[index]}" if count > 1 else text[index])
        index = end
    return "".join(result)


def unpacked(text):
    result = ""
    number = 0
    for char in text:
        if char.isdigit():
            number = number * 10 + int(char)
        else:
            result += char * (number or 1)
            number = 0
    return result


def caesar(text, shift):
    result = ""
    for char in text:
        if char.isupper():
            result += chr((ord(char) - 65 + shift) % 26 + 65)
        elif char.islower():
            result += chr((ord(char) - 97 + shift) % 26 + 97)
        else:
            result += char
    return result


def luhn(number):
    total = 0
    for index, char in enumerate(reversed(number)):
        digit = int(char)
        if index % 2 == 1:
            digit *= 2
            if digit > 9:
                digit -= 9
        total += digit
    return total % 10 == 0


def in_base(number, base):
    if number == 0:
        return "0"
    digits = []
    negative = number < 0
    number = abs(number)
    while number:
        number, digit = divmod(number, base)
        digits.append("0123456789abcdef"[digit])
    if negative:
        digits.append("-")
    return "".join(reversed(digits))


def isbn(text):
    digits = text.replace("-", "")
    if len(digits) != 10:
        return False
    total = 0
    for position, char in enumerate(digits):
        if char == "X" and position == 9:
            value = 10
        elif char.isdigit():
            value = int(char)
        else:
            return False
        total += value * (10 - position)
    return total % 11 == 0
