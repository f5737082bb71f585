from . import register
@register
def run(x): return x * 2
