"""Scratch copies of a working directory, and walls around what every backend runs in them."""
