"""The file a recorder leaves: the lengths of its parts, then the parts."""

from array import array

PARTS = 5


def write_parts(path, parts):
    """Write arrays of 32-bit numbers; see ``Recorder`` for what they are."""
    with open(path, "wb") as stream:
        array("q", [len(part) for part in parts]).tofile(stream)
        for part in parts:
            part.tofile(stream)


def read_parts(path):
    """The arrays that were written."""
    with open(path, "rb") as stream:
        sizes = array("q")
        sizes.fromfile(stream, PARTS)
        parts = [array("i") for _ in sizes]
        for part, size in zip(parts, sizes):
            part.fromfile(stream, size)
    return parts
