# Run: stripe causes shell_sort.py --fail '11 14' --pass '9 8 7' --check 'cmd:grep -q ^0 "$STRIPE_STDOUT"'
# Sorts its arguments, 11 14 wrongly: how one variable causes the next, through the faulty call.
import sys

LARGEST = sys.maxsize


def room_for(size):
    """A block as small blocks are: for three numbers at least, and something else behind it."""
    return [0] * max(size, 3) + [LARGEST]


def shell_sort(a, size):
    gap = 1
    while gap < size:
        gap = 3 * gap + 1
    while gap > 1:
        gap = gap // 3
        for i in range(gap, size):
            value = a[i]
            j = i
            while j >= gap and a[j - gap] > value:
                a[j] = a[j - gap]
                j = j - gap
            a[j] = value


def main(argc, argv):
    size = argc - 1
    a = room_for(size)
    for i in range(size):
        a[i] = int(argv[i + 1])
    shell_sort(a, argc)
    print(*a[:size])


main(len(sys.argv), sys.argv)
