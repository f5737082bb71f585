"""What walls cost: the same tests in each layer, side by side, against none.

Walls are put up once for a server, not once for a test.  A program that writes outside of its
scratch copy has the world made as it was after each test; that is measured, too.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from statistics import median

from benchmarks.measure import Row, Sizes, interleaved, ratio, value
from benchmarks.programs import recorded, sample
from benchmarks.replay import milliseconds, random_configurations, replayed
from stripe.backend import Target
from stripe.sandbox.layers import find_layer
from stripe.sandbox.walls import VARIABLE, Layer

GOAL = 1.1

OUTSIDE = """\
import os
with open(os.path.expanduser("~/.stripe-benchmark"), "w") as stream:
    stream.write("outside")
print("written")
"""


def run(sizes: Sizes) -> Iterator[Row]:
    with ExitStack() as stack:
        recordings = {}
        for layer in (Layer.NONE, Layer.LANDLOCK, Layer.NAMESPACES):
            with forced(layer):
                recordings[layer] = stack.enter_context(recorded(sample()))
        bare = recordings.pop(Layer.NONE)
        configurations = random_configurations(bare.trace, sizes.choose(100, 12))
        plain = replayed(bare, configurations)
        for layer, recording in recordings.items():
            walled = replayed(recording, configurations)
            for which in range(min(len(configurations), 20)):
                if plain(which) != walled(which):
                    raise RuntimeError(f"{layer.value} changes the run of {configurations[which]}")
            inside, outside = interleaved(sizes.choose(600, 60), walled, plain, warm_up=20)
            yield ratio("sandbox", f"a Python test: {layer.value} / none", inside, outside, GOAL)
            yield value("sandbox", f"a Python test: {layer.value}", milliseconds(inside), "ms")
            worst = 1000 * sorted(inside)[-max(1, len(inside) // 100)]
            least = 1000 * sorted(outside)[-max(1, len(outside) // 100)]
            yield value("sandbox", f"the same, slowest of a hundred (none: {least:.2f})",
                        [worst], "ms")  # fmt: skip
        yield value("sandbox", "a Python test: none", milliseconds(outside), "ms")
    yield from writing(sizes)


def writing(sizes: Sizes) -> Iterator[Row]:
    """A program that writes a file in its home directory, and one that writes it here."""
    with tempfile.TemporaryDirectory() as folder, ExitStack() as stack:
        here = Path(folder)
        (here / "outside.py").write_text(OUTSIDE)
        (here / "inside.py").write_text(OUTSIDE.replace("~/.stripe-benchmark", "written"))
        ways = []
        for name in ("outside.py", "inside.py"):
            recording = stack.enter_context(recorded(Target(name, directory=here)))
            ways.append(replayed(recording, [tuple(range(len(recording.trace)))]))
        outside, inside = interleaved(sizes.choose(200, 20), *ways, warm_up=5)
        what = f"a test that writes: outside / in its directory ({1000 * median(outside):.2f} ms)"
        yield ratio("sandbox", what, outside, inside)


@contextmanager
def forced(layer: Layer) -> Iterator[None]:
    """Have this layer chosen."""
    find_layer.cache_clear()
    os.environ[VARIABLE] = layer.value
    try:
        yield
    finally:
        del os.environ[VARIABLE]
        find_layer.cache_clear()
