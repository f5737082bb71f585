_values = {"colour": "blue", "size": 12}
_asked = []
def __getattr__(name):
    if name.startswith("__"):
        raise AttributeError(name)
    _asked.append(name)
    print("asked for", name)
    try:
        return _values[name]
    except KeyError:
        raise AttributeError(f"no setting {name!r}") from None
def __dir__():
    return ["b", "a"]
