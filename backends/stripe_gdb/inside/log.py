"""The file a recorder leaves: the lengths of its parts, then the parts."""

from array import array

PARTS = ("block", "activation", "activations", "landings", "frames")
"""What they are called, in the recorder, which says what they are, and in what is read."""


def write_parts(path, log):
    """Write the arrays of 32-bit numbers that a log has."""
    parts = [getattr(log, name) for name in PARTS]
    with open(path, "wb") as stream:
        array("q", [len(part) for part in parts]).tofile(stream)
        for part in parts:
            part.tofile(stream)


def read_parts(path):
    """The arrays that were written, by their names."""
    with open(path, "rb") as stream:
        sizes = array("q")
        sizes.fromfile(stream, len(PARTS))
        parts = {name: array("i") for name in PARTS}
        for name, size in zip(PARTS, sizes):
            parts[name].fromfile(stream, size)
    return parts
