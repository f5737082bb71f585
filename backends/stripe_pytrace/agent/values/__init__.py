"""Values as they are compared, and as text."""
