"""The shadow stack: which activation of which function a stop belongs to.

It needs the stack pointer only, and no frame information.  At the first instruction of a
function the frame of the caller ends at ``sp + 8`` (the canonical frame address, CFA); an
activation is over when the stack pointer has come up to its CFA.  So calls, returns, recursion,
``longjmp`` and exceptions all look the same: entries below the stack pointer are gone.
"""

NONE = -1


class Activation:
    """One execution of a function.

    ``position`` is the event that takes place in it, ``NONE`` in its prologue and epilogue;
    ``plan`` holds the indices of its kept events, ``None`` if it runs in full; ``next`` is the
    place in the plan, ``child`` that among the calls of the event, ``expected`` the block that
    must come next (control mode ``program``), ``probes`` what to observe at the next stop,
    ``looked`` what was seen of the event and what is to be seen of it at the next stop,
    ``since`` when it began, as the looks count;
    ``stack_pointer`` and ``base_pointer`` are those of its latest stop, if they are kept.
    """

    __slots__ = (
        "base_pointer",
        "cfa",
        "child",
        "entry",
        "expected",
        "left",
        "looked",
        "next",
        "number",
        "plan",
        "position",
        "probes",
        "since",
        "stack_pointer",
    )

    def __init__(self, number, entry, cfa):
        self.number = number
        self.entry = entry
        self.cfa = cfa
        self.position = NONE
        self.left = False
        self.plan = None
        self.next = 0
        self.child = 0
        self.expected = NONE
        self.probes = ()
        self.looked = None
        self.since = 0
        self.stack_pointer = self.base_pointer = 0


def innermost(stack):
    """The event that takes place; in a prologue or an epilogue it is the call."""
    places = (each.position for each in reversed(stack))
    return next((each for each in places if each != NONE), NONE)


def unwind(stack, pointer):
    """Drop the activations that are over at ``pointer``; the ones that are dropped."""
    if not stack or stack[-1].cfa > pointer:
        return ()
    gone = []
    while stack and stack[-1].cfa <= pointer:
        gone.append(stack.pop())
    return gone
