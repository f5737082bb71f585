"""The recorded run: which statements were executed, and in which order."""
