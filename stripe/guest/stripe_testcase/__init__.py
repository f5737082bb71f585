"""Runs one failing test in the traced program, alone; imports nothing of STRIPE."""
