"""Tests run with a change: collecting, the runners of tests, and what comes of it."""
