"""Partial execution: the recorded way, with only the kept events taking effect."""
