"""Processes that stand at a place of a run: forked there, or put back to it."""
