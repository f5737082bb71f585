import inspect

def sample(a, b=1, *args, c, **kw):
    """Docs."""
    local = a
    return local

print(inspect.signature(sample))
print(sample.__code__.co_varnames, sample.__code__.co_firstlineno, sample.__code__.co_argcount)
print(inspect.getsource(sample).splitlines()[1])
print(sample.__code__.co_name, sample.__module__, sample.__closure__)

def caller():
    frame = inspect.currentframe()
    return frame.f_lineno, frame.f_code.co_name, frame.f_back.f_code.co_name, sorted(frame.f_locals)

print(caller())
def where():
    return [(f.function, f.lineno, f.code_context[0].strip()) for f in inspect.stack()[:2]]
for entry in where():
    print(entry)
class K:
    def method(self): pass
print(inspect.getsourcelines(K)[1], inspect.isgeneratorfunction(sample), K.method.__qualname__)
print([name for name, _ in inspect.getmembers(K, inspect.isfunction)])
def gen(): x = yield 1; yield x
g = gen(); next(g)
print(inspect.getgeneratorstate(g), g.gi_frame.f_lineno)
