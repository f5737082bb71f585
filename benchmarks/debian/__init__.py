"""Programs nobody here wrote, from Debian's sources."""
