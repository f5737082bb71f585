import sys
from .. import STEPS
from . import helper
from ..tools import helper as same
def main(n):
    for i in range(n):
        print(helper.label(i), end=" ")
    print()
print(__name__, __package__, helper is same)
if __name__ == "__main__":
    main(int(sys.argv[1]))
    print(STEPS, sys.argv[1:])
