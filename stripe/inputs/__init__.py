"""Reducing what goes into a program: files, calls, code."""
