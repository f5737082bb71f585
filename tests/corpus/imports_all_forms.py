import math
import os.path
import os.path as p, json as j
from math import sqrt
from math import pi as PI, floor as down
from collections import (
    OrderedDict,
    deque as D,
)
from string import *
import xml.dom.minidom
print(math.floor(2.5), os.path.join("a", "b"), p.basename("x/y"), j.dumps([1]))
print(sqrt(16), round(PI, 2), down(3.9), D([1]), ascii_lowercase[:3], "digits" in dir())
print(xml.__name__, xml.dom.minidom.parseString("<a>t</a>").firstChild.tagName)
try:
    import no_such_module_xyz
except ModuleNotFoundError as e:
    print(e.name)
try:
    from math import no_such_name
except ImportError as e:
    print("cannot import", e.name)
def lazy():
    import textwrap as tw
    from bisect import insort
    xs = [1, 3]; insort(xs, 2)
    return tw.shorten("a long text here", 10), xs
print(lazy(), "tw" in globals())
try: import ujson_missing as json
except ImportError: import json
print(json.loads("2"))
if True: import sys as system
print("math" in system.modules)
for name in ("heapq", "calendar"): print(__import__(name).__name__)
class Uses:
    from math import tau
    import math as m
print(round(Uses.tau, 3), Uses.m is math)
