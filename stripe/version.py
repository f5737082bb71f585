"""Which stripe this is: the one place where that stands (pyproject.toml reads it from here)."""

__version__ = "0.1.0"
