import os
from importlib import resources
here = os.path.dirname(os.path.abspath(__file__))
with open(os.path.join(here, "words.txt"), encoding="utf-8") as f:
    words = [w for line in f for w in line.split()]
print(len(words), sorted(words, key=str.lower)[:3])
longest = ""
for w in words:
    if len(w) > len(longest): longest = w
print(longest)
from texts import greeting
print(greeting.render("Kim"))
