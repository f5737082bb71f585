"""A search in a process of its own: what runs it there, and what waits for it here."""
