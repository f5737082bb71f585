# run: -m pkg_main_module one two
import sys
from . import tools
from .data import TABLE
from .tools import render as show

def main():
    print("name", __name__, "package", __package__)
    print("argv", sys.argv[1:])
    for key in TABLE:
        print(show(key, tools.scale(TABLE[key])))
    return 0

if __name__ == "__main__":
    sys.exit(main())
