"""Is the faulty line where ``stripe suspects`` says?  Beside formulas and a mutation tool."""
