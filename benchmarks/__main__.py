"""``python -m benchmarks [NAME...] [--quick] [--json FILE]``: what is measured, as a table."""

from __future__ import annotations

import argparse
import json
import os
import platform
import sys
from pathlib import Path
from typing import Any

from benchmarks import (
    blame,
    builds,
    calls,
    changes,
    dd,
    debug,
    inputs,
    interventions,
    memory,
    million,
    native,
    ptrace,
    pythons,
    recording,
    replay,
    sandbox,
    search,
    shapes,
    sparse,
    start,
    syntax,
    values,
)
from benchmarks.measure import Row, Sizes
from benchmarks.measure import table as as_table
from benchmarks.scale import cluster, growth, jobs, levels, longest, searches, table

BENCHMARKS = {
    "start": start.run,
    "recording": recording.run,
    "shapes": shapes.run,
    "replay": replay.run,
    "sandbox": sandbox.run,
    "memory": memory.run,
    "million": million.run,
    "sparse": sparse.run,
    "search": search.run,
    "searches": searches.run,
    "cluster": cluster.run,
    "jobs": jobs.run,
    "levels": levels.run,
    "growth": growth.run,
    "longest": longest.run,
    "scale": table.run,
    "values": values.run,
    "dd": dd.run,
    "debug": debug.run,
    "inputs": inputs.run,
    "interventions": interventions.run,
    "calls": calls.run,
    "syntax": syntax.run,
    "changes": changes.run,
    "builds": builds.run,
    "blame": blame.run,
    "native": native.run,
    "ptrace": ptrace.run,
    "pythons": pythons.run,
}


def main() -> int:
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks",
        description="Measure speed and memory. All ratios are taken within this run: they "
        "compare on any machine, the absolute figures beside them do not.",
    )
    parser.add_argument("names", nargs="*", metavar="NAME", help=", ".join(BENCHMARKS))
    parser.add_argument("--quick", action="store_true", help="small sizes, few rounds")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the figures there too")
    options = parser.parse_args()
    if unknown := set(options.names) - set(BENCHMARKS):
        parser.error(
            f"no benchmark {', '.join(sorted(unknown))}; there are: {', '.join(BENCHMARKS)}"
        )
    # With it, each command would compile all of STRIPE anew, which no installed one does.
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    rows: list[Row] = []
    try:
        for name in options.names or [each for each in BENCHMARKS if each != "scale"]:
            print(f"{name} ...", end=" ", file=sys.stderr, flush=True)
            for row in BENCHMARKS[name](Sizes(options.quick)):
                rows.append(row)
        print(file=sys.stderr)
    except KeyboardInterrupt:
        print("ended before its end: what was measured so far", file=sys.stderr)
    facts = environment(options.quick)
    print(", ".join(f"{key} {fact}" for key, fact in facts.items()))
    print(as_table(rows))
    if options.json is not None:
        data = {"environment": facts, "rows": [row.data() for row in rows]}
        options.json.write_text(json.dumps(data, indent=2) + "\n", "utf-8")
    return 0


def environment(quick: bool) -> dict[str, Any]:
    """What the absolute figures depend on."""
    return {
        "python": platform.python_version(),
        "system": f"{platform.system()} {platform.machine()}",
        "processors": os.cpu_count(),
        "load": round(os.getloadavg()[0], 1),
        "quick": quick,
    }


if __name__ == "__main__":
    sys.exit(main())
