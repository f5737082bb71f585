"""Numbers: primes, divisors, statistics, roots, fractions."""


def primes(limit):
    sieve = [True] * (limit + 1)
    found = []
    for number in range(2, limit + 1):
        if not sieve[number]:
            continue
        found.append(number)
        for multiple in range(number * number, limit + 1, number):
            sieve[multiple] = False
    return found


def factors(number):
    result = []
    divisor = 2
    while divisor * divisor <= number:
        while number % divisor == 0:
            result.append(divisor)
            number //= divisor
        divisor += 1
    if number > 1:
        result.append(number)
    return result


def greatest_divisor(one, other):
    one, other = abs(one), abs(other)
    while other:
        one, other = other, one % other
    return one


def median(values):
    if not values:
        raise ValueError("no values")
    ordered = sorted(values)
    middle = len(ordered) // 2
    if len(ordered) % 2:
        return ordered[middle]
    return (ordered[middle - 1] + ordered[middle]) / 2


def variance(values):
    mean = sum(values) / len(values)
    total = 0
    for value in values:
        total += (value - mean) ** 2
    return total / (len(values) - 1)


def root(number, places=6):
    if number < 0:
        raise ValueError("negative")
    low, high = 0, max(1, number)
    while high - low > 10**-places / 4:
        middle = (low + high) / 2
        if middle * middle < number:
            low = middle
        else:
            high = middle
    return round(high, places)


def power(base, exponent, modulus):
    result = 1
    base %= modulus
    while exponent:
        if exponent % 2:
            result = result * base % modulus
        base = base * base % modulus
        exponent //= 2
    return result


def histogram(values, low, high, bins):
    counts = [0] * bins
    width = (high - low) / bins
    for value in values:
        if value < low or value > high:
            continue
        index = int((value - low) / width)
        if index == bins:
            index -= 1
        counts[index] += 1
    return counts


def moving_average(values, size):
    result = []
    total = 0
    for index, value in enumerate(values):
        total += value
        if index >= size:
            total -= values[index - size]
        if index >= size - 1:
            result.append(total / size)
    return result


def collatz(number):
    steps = 0
    highest = number
    while number != 1:
        number = number // 2 if number % 2 == 0 else 3 * number + 1
        highest = max(highest, number)
        steps += 1
    return steps, highest
