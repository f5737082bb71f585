# -*- coding: latin-1 -*-
word = "café déjà"
print(len(word), [hex(ord(c)) for c in word if ord(c) > 127])
for c in word:
    if c == "é": print("e acute")
    elif c == "à": print("a grave")
print(word.encode("utf-8"))
naïve = 1
print("na\xefve" in globals())
