factor = 10
def scale(n):
    return n * factor
def render(key, value):
    return f"{key:>3}: {value}"
