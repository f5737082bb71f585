from . import register
print("faulty loading")
LIMIT = int("many")
@register
def run(x): return x
