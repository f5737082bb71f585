"""A function that fails."""


def needs(text: str, wanted: str = "<>") -> None:
    if all(character in text for character in wanted):
        raise ValueError("found")
