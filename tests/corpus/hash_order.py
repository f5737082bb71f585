words = "red green blue red yellow green cyan".split()
unique = set(words)
print(unique)
for w in unique:
    print(w)
print({w: words.count(w) for w in unique})
print(frozenset("hello"), hash("stable") == hash("stable"))
d = dict.fromkeys("zyx")
d.pop("y"); d["y"] = 1
print(d, list(reversed(d)))
while unique:
    w = unique.pop()
    if w.startswith("b"): break
print(w, len(unique))
