REGISTRY = []
def register(f):
    REGISTRY.append(f.__module__)
    return f
