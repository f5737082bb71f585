"""Bits and bytes: fields packed into words, numbers of variable length, sums, sets, Gray code."""


def packed(layout, values):
    """One number: fields of so many bits, the first one highest."""
    word = 0
    for name, width in layout:
        value = values.get(name, 0)
        if not 0 <= value < 1 << width:
            raise ValueError(f"{name} does not fit")
        word = word << width | value
    return word


def unpacked(layout, word):
    values = {}
    for name, width in reversed(layout):
        values[name] = word & (1 << width) - 1
        word >>= width
    if word:
        raise ValueError("bits are left")
    return values


def signed(value, width):
    """What these bits mean as a number with a sign."""
    value &= (1 << width) - 1
    if value >> (width - 1):
        return value - (1 << width)
    return value


def varint(number):
    """Seven bits a byte, the lowest first; all but the last byte have the eighth bit."""
    if number < 0:
        raise ValueError("negative")
    found = bytearray()
    while True:
        byte = number & 0x7F
        number >>= 7
        if number:
            found.append(byte | 0x80)
        else:
            found.append(byte)
            return bytes(found)


def varints(data):
    """The numbers in some bytes."""
    numbers = []
    number = shift = 0
    for byte in data:
        number |= (byte & 0x7F) << shift
        if byte & 0x80:
            shift += 7
        else:
            numbers.append(number)
            number = shift = 0
    if shift:
        raise ValueError("cut off")
    return numbers


def zigzag(number):
    """Numbers with a sign as numbers without, small ones small."""
    return number * 2 if number >= 0 else -number * 2 - 1


def deltas(numbers):
    """Packed as differences, each as a number of variable length."""
    data = b""
    last = 0
    for number in numbers:
        data += varint(zigzag(number - last))
        last = number
    return data


def restored(data):
    last = 0
    numbers = []
    for code in varints(data):
        step = code // 2 if code % 2 == 0 else -(code + 1) // 2
        last += step
        numbers.append(last)
    return numbers


def checksum(data):
    """Of bytes, by sixteen bits in ones' complement, the higher byte first."""
    total = 0
    for i in range(0, len(data), 2):
        pair = data[i : i + 2]
        word = pair[0] << 8
        if len(pair) == 2:
            word |= pair[1]
        total += word
        total = (total & 0xFFFF) + (total >> 16)
    return total ^ 0xFFFF


def crc8(data, polynomial=0x07):
    remainder = 0
    for byte in data:
        remainder ^= byte
        for _ in range(8):
            if remainder & 0x80:
                remainder = (remainder << 1 ^ polynomial) & 0xFF
            else:
                remainder = remainder << 1 & 0xFF
    return remainder


def ranges(mask):
    """Where runs of ones are: pairs of the first and the last bit."""
    found = []
    start = None
    position = 0
    while mask:
        if mask & 1:
            if start is None:
                start = position
        elif start is not None:
            found.append((start, position - 1))
            start = None
        mask >>= 1
        position += 1
    if start is not None:
        found.append((start, position - 1))
    return found


def mask_of(text):
    """From "0-3,8" the number with these bits."""
    mask = 0
    for part in text.split(","):
        first, _, last = part.strip().partition("-")
        low = int(first)
        high = int(last) if last else low
        if high < low:
            low, high = high, low
        for bit in range(low, high + 1):
            mask |= 1 << bit
    return mask


def gray(number):
    return number ^ number >> 1


def from_gray(code):
    number = 0
    while code:
        number ^= code
        code >>= 1
    return number


def rotated(value, count, width=8):
    """To the left."""
    count %= width
    full = (1 << width) - 1
    value &= full
    return (value << count | value >> (width - count)) & full


def address(text):
    """The first and last address, as numbers, of a network such as 10.1.0.0/16."""
    name, _, bits = text.partition("/")
    parts = name.split(".")
    if len(parts) != 4:
        raise ValueError(f"no address: {text}")
    number = 0
    for part in parts:
        if not 0 <= int(part) <= 255:
            raise ValueError(f"no address: {text}")
        number = number << 8 | int(part)
    free = 32 - int(bits or 32)
    first = number >> free << free
    return first, first + (1 << free) - 1
