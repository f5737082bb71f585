"""Module docstring,
with two lines."""

def f():
    """f's docstring"""
    return f.__doc__

def g():
    "single"; return 1

def h():
    x = 1
    """not a docstring"""
    return x

def k():
    f"""not a docstring either {1}"""

class C:
    '''Class doc.'''
    attr = 1
    """a comment string"""

    def m(self):
        r"""raw \n doc"""

print(repr(__doc__))
print(f(), g.__doc__, g(), h.__doc__, h(), k.__doc__)
print(C.__doc__, C.m.__doc__)
"loose string"
b"loose bytes"
