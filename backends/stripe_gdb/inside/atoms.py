"""Values without parts: how they are written, exactly, and the bytes that they are."""

import math
import struct

FLOATS = {4: "<f", 8: "<d"}
EXTENDED, BIAS = 10, 16383 + 63


def number(data, layout, bit=0, bits=0):
    """An integer; of a bitfield so many ``bits`` from ``bit`` on."""
    value = int.from_bytes(data, "little")
    size = bits or 8 * layout.size
    value = value >> bit & (1 << size) - 1
    return value - (1 << size) if layout.signed and value >> size - 1 else value


def told(value, layout):
    """An integer, as a program has it."""
    if layout.kind == "char" and 32 <= value % 256 < 127:
        return f"'{chr(value)}'"
    return layout.names.get(value, str(value))


def real(data):
    """A floating-point number: equal texts for equal bytes only."""
    if len(data) in FLOATS:
        (value,) = struct.unpack(FLOATS[len(data)], data)
        return f"nan({data[::-1].hex()})" if math.isnan(value) else repr(value)
    if len(data) >= EXTENDED:
        mantissa = int.from_bytes(data[:8], "little")
        exponent = int.from_bytes(data[8:10], "little") & 0x7FFF
        try:
            value = float(mantissa) * 2.0 ** (exponent - BIAS)
        except OverflowError:
            value = 0.0
        if int(float(mantissa)) == mantissa and math.isfinite(value) and (value or not mantissa):
            return repr(-value if data[9] & 0x80 else value)
    return "0x" + data[:EXTENDED][::-1].hex()


def string(data):
    """A text in quotation marks."""
    inside = "".join(_ESCAPED.get(each) or _shown(each) for each in data)
    return f'"{inside}"'


_ESCAPED = {34: '\\"', 92: "\\\\", 10: "\\n", 9: "\\t", 13: "\\r"}


def _shown(byte):
    return chr(byte) if 32 <= byte < 127 else f"\\{byte:03o}"


def flags(data):
    """Whether an array of characters looks like small numbers rather than like text."""
    return any(data) and max(data) < 9
