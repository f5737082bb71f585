"""What the library has in C, without the modules in Python around it.

To import those takes as long as to import the agent.  They bring ``keyword``, ``operator`` and
others along, which may be modules of the program on PYTHONPATH: so the agent has plain classes
where others have named tuples or dataclasses.
"""

from __future__ import annotations

import sys

TYPE_CHECKING = False  # typing takes as long to import as much of the agent
if TYPE_CHECKING:
    from array import array as array
    from bisect import bisect_left as bisect_left
    from bisect import bisect_right as bisect_right
    from collections import defaultdict as defaultdict
    from collections import deque as deque
    from functools import partial as partial
    from operator import call as call
    from operator import iconcat as iconcat
    from struct import Struct as Struct
    from weakref import ref as ref
else:
    import _collections_abc
    from _bisect import bisect_left as bisect_left
    from _bisect import bisect_right as bisect_right
    from _collections import defaultdict as defaultdict
    from _collections import deque as deque
    from _functools import partial as partial
    from _operator import call as call
    from _operator import iconcat as iconcat
    from _struct import Struct as Struct
    from _weakref import ref as ref

    # array asks for a class of this module under names of a package that only passes it on.
    names = {"collections", "collections.abc"} - set(sys.modules)
    sys.modules.update(dict.fromkeys(names, _collections_abc))
    from array import array as array

    for name in names:
        del sys.modules[name]
