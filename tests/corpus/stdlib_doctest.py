"""
>>> area(2, 3)
6
>>> area(0, 1)
Traceback (most recent call last):
    ...
ValueError: empty
"""
def area(w, h):
    """
    >>> [area(n, n) for n in range(1, 4)]
    [1, 4, 9]
    >>> area(1, 1) == 2
    False
    """
    if not w or not h:
        raise ValueError("empty")
    return w * h
if __name__ == "__main__":
    import doctest
    results = doctest.testmod(report=False)
    print(results.failed, results.attempted)
