"""Where variables of inner blocks begin anew, in the events of an activation."""

from bisect import bisect_left, bisect_right


class Scopes:
    """``scopes``: ranges of code, and variables (offset from the frame, bytes) each.

    A scope has begun at an event that is in it if the event before it was not, or if it is that
    of the scope's first block: in a loop without a condition nothing else lies between two rounds.
    """

    def __init__(self, scopes, blocks):
        # blocks: (address, function, ...) each, by address
        self._variables = [variables for _, variables in scopes]
        self._around = {}
        self._first = {}
        self._functions = set()
        self._known = {}
        starts = [block[0] for block in blocks]
        for scope, (ranges, _) in enumerate(scopes):
            found = set()
            for low, high in ranges:
                if low < high:
                    first = max(0, bisect_right(starts, low) - 1)  # it may begin before the range
                    found.update(range(first, bisect_left(starts, high)))
            inside = sorted(found)
            for number in inside:
                self._around.setdefault(number, set()).add(scope)
                self._functions.add(blocks[number][1])
            for number in inside[:1]:
                self._first.setdefault(number, set()).add(scope)

    def begun(self, number, function, events, blocks, since, until):
        """The variables that began anew behind ``since`` and up to ``until`` in an activation.

        These are places in its ``events``; ``blocks`` has the block of each event.
        """
        if function not in self._functions:
            return ()
        if number not in self._known:
            self._known[number] = self._find(events, blocks)
        places, begun = self._known[number]
        low, high = bisect_right(places, since), bisect_right(places, until)
        if low == high:
            return ()
        found = set().union(*begun[low:high])
        return [each for scope in found for each in self._variables[scope]]

    def _find(self, events, blocks):
        """The places at which scopes begin, and which ones."""
        places, begun = [], []
        before = frozenset()
        for place, event in enumerate(events):
            block = blocks[event]
            around = self._around.get(block, frozenset())
            new = (around - before) | self._first.get(block, frozenset())
            if new:
                places.append(place)
                begun.append(new)
            before = around
        return places, begun
