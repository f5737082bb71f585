__all__ = ["lookup", "NoPrice"]
class NoPrice(LookupError): pass
_table = {"apple": 30, "pear": 45}
_hidden = True
def lookup(name):
    try:
        return _table[name]
    except KeyError:
        raise NoPrice(name) from None
print("loaded", __name__)
