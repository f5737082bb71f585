"""Scratch copies of a working directory: what every backend runs its programs in."""
