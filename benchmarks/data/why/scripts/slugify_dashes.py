# python-slugify:slugify 9.1.2 9.1.3 --check stdout:/long/ text-unidecode
from slugify import slugify

title = "one two three"
print("plain", slugify(title))
print("long", slugify("a--b-c three", max_length=6, word_boundary=True, save_order=True, separator="."))
