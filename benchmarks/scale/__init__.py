"""How costs grow: programs of many shapes and sizes, and what is measured over them."""
