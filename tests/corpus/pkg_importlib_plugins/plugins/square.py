from . import register
from .double import run as double
@register
def run(x):
    return double(x) * x // 2
