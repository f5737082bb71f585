import config
from config import colour, size
print(colour, size, config.colour)
try:
    config.nothing
except AttributeError as e:
    print(e)
try:
    from config import missing
except ImportError as e:
    print(type(e).__name__, e.name)
print(dir(config))
config.size = "set"
print(config.size)
