"""python -m benchmarks.real [NAME...] [--seconds S] [--control MODE]: the table of all programs.

``--failing``: of failing tests of real projects instead.
"""

from __future__ import annotations

import argparse
import tempfile
from pathlib import Path

from benchmarks.real.catalog import packages, standard
from benchmarks.real.failing import failing
from benchmarks.real.trial import TITLE, try_out


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("names", nargs="*")
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--tests", type=int, default=3000)
    parser.add_argument("--control", action="append", default=[])
    parser.add_argument("--standard", action="store_true", help="without packages from PyPI")
    parser.add_argument("--failing", action="store_true", help="failing tests of projects")
    parser.add_argument("--reports", type=Path, help="a folder for what users would see")
    given = parser.parse_args()
    if given.failing:
        programs = list(failing())
    else:
        programs = [*standard(), *([] if given.standard else packages())]
    for control in given.control or ["trace", "program"]:
        print(f"--control {control}\n{TITLE}", flush=True)
        for program in programs:
            if given.names and not any(name in program.name for name in given.names):
                continue
            with tempfile.TemporaryDirectory() as folder:
                limits = {"seconds": given.seconds, "tests": given.tests}
                row = try_out(program, Path(folder), control=control, **limits)
            print(row, flush=True)
            if given.reports is not None:
                given.reports.mkdir(parents=True, exist_ok=True)
                (given.reports / f"{program.name}.{control}.txt").write_text(f"{row}\n{row.report}")


if __name__ == "__main__":
    main()
