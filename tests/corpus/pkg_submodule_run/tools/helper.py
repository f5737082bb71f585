def label(i): return chr(ord("a") + i)
