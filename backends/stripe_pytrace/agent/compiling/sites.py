"""The vocabulary shared by the instrumenter, the recorder, the trace builder and the replayer.

A *node* is a statement (or an ``except`` clause) of a file, numbered in source order, so
that everything inside node ``n`` has a number in ``n .. end[n]``.  A *site* is a place in
the instrumented code where control reports that it has passed: most sites announce an
event, the others mark a landing point of control (a handler, a ``finally``, the exit of a
``with``) or keep the path readable.
"""

from __future__ import annotations

# Kinds of sites.
YIELDS = -1  # as EVENT, of a generator that tells itself that it is resumed
EVENT = 0  # a simple statement: one code, kept or dropped
BRANCH = 1  # an if, while or match header: an event, then the branch taken
MAKE = 2  # a for header making its iterator: an event
FETCH = 3  # a for header fetching an item: an event, but for the first fetch after MAKE
CONTEXT = 4  # a with header: an event, and more codes of it, see ITEM
ANNOTATION = 5  # an annotation of several: an event, then its number in two codes
HANDLER = 6  # landing: control entered an except clause
FINALLY = 7  # landing: control entered a finally clause
LEAVING = 8  # landing: control is about to call a context manager's exit
PASSED = 9  # control passed here: the end of a try body, a block without events
ITEM = 10  # a with header comes to a further one of its items: one more code of the event

LANDINGS = (HANDLER, FINALLY, LEAVING)

# What the recorder writes between site numbers (all negative).  That a function has started tells
# that control has come to its first statement, in most of them.
START = 17  # -(16 * function + START): an activation of a function
START_GENERATOR = 18  # the same, followed by the generator's number
ALONE = 2  # more than these: it failed to start, so control did not come to its first site
RESUME = -2  # followed by the generator's number
SUSPEND = -3  # an activation returned or yielded
UNWIND = -4  # an activation was left by an exception
RAISED = -5  # an exception was raised in, or arrived in, the running activation; then where
RERAISED = -6  # an exception goes on after a finally, with or non-matching except
PAUSE = -7  # from here on what runs is STRIPE's doing, not the program's,
UNPAUSE = -8  # until here
CLOSED = -10  # a generator was left by GeneratorExit
SAME = -11  # the entry before is about the exception that an activation was left by last
DONE = -12  # as SUSPEND, of a generator that has returned; told only where a part is recorded
AT = -9  # followed by where in the running activation the next entry happens

# Less than this and up to it, by the place in the log that an activation had come to when a
# statement of it suspended it: it is resumed (see ``suspensions``).
BACK = -(1 << 31)
LAST_BACK = -(1 << 30)

# Statements in a row, without jumps between them, are reported at once, by the site of the
# first plus this; "where" above is the offset of the instruction: within such a run it matters.
RUN = 1 << 24

NO_LEAD = -1  # of a function whose start tells nothing but that

# Codes of a plan beyond the small numbers that say kept, dropped, or which branch.  A path that
# ends with LEAVE or CAUGHT was left by an exception.
OVER = 251  # the window ends here: from here on everything runs in full
CAUGHT = 252  # the recorded run raised here: code that is not traced caught it
LAND = 253  # control must arrive at a landing point
LEAVE = 254  # the recorded run raised here: control leaves for where it landed
END = 255  # the recorded path ends
LAST_BRANCH = 249


def digits(number: int) -> tuple[int, int]:
    """The codes that tell the number of an annotation."""
    return divmod(number, LAST_BRANCH)


# Fetches: bit 0 says kept, bit 1 that the loop ends here.
LAST_FETCH = 2

# How a replay finds the recorded activation that a call begins, if it is kept as a whole: its codes
# answer for themselves, others do not, or it must be looked for.
WHOLE, SPECIAL, SOUGHT = 0, 1, 2
