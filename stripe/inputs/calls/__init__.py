"""Calls of Python functions: observed, and made again with smaller arguments."""
