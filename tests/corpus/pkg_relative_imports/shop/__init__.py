"""The shop."""
NAME = "corner shop"
print("init", __name__)
from . import prices
from .prices import *
assert "lookup" in globals() and "_hidden" not in globals()
