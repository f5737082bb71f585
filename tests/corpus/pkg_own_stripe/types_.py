import types
def kind(x): return type(x).__name__, types.FunctionType.__name__
