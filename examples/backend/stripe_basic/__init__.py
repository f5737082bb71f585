"""A backend for programs in BASIC."""
