"""How well ``stripe why`` answers: ``python -m benchmarks.why [--half seen|aside] [--only NAME]``.

Faults of real projects (``benchmarks/data/why``), each with its fixing lines, looked into by
``stripe why`` and, side by side in the same run, by its rivals: the last frame of the traceback,
Ochiai on the tests of the same file, the plain dynamic slice in backward order, ``stripe suspects``
alone.  Needs root, as tests of strangers run in a jail: ``--jail COMMAND`` is called with a folder,
outside of which nothing may be written, and a command.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict
from pathlib import Path
from statistics import median
from subprocess import SubprocessError
from typing import Any

from benchmarks.why.answers import ROOT, Answer, again, dynamic_slice, of_tests, suspects, why
from benchmarks.why.faults import ASIDE, SEEN, Fault, place, read

WAYS = ("why", "traceback", "ochiai", "slice", "suspects")


def measure(fault: Fault, jail: str, tree: Path, ways: Sequence[str]) -> dict[str, Answer]:
    """All answers for one fault."""
    found: dict[str, Answer] = {}
    if not ways:
        return found
    where = place(fault)
    if {"traceback", "ochiai"} & {*ways}:
        found["traceback"], found["ochiai"] = of_tests(fault, where, jail)
    if "slice" in ways:
        found["slice"] = dynamic_slice(fault, where, tree)
    if "suspects" in ways:
        found["suspects"] = suspects(fault, where, tree)
    if "why" in ways:
        found["why"] = why(fault, where, tree)
    return {way: found[way] for way in WAYS if way in found}


def rows(measured: Sequence[dict[str, Any]]) -> Iterator[str]:
    """A table: for each fault the ranks, and what ``why`` took."""
    heads = ("fault", "shows as", *WAYS, "met after lines", "first, all, cpu (s)", "by")
    yield f"| {' | '.join(heads)} |"
    yield "|---" * len(heads) + "|"
    for each in measured:
        ranks = [_rank(each["answers"].get(way)) for way in WAYS]
        own = each["answers"].get("why") or {}
        before = own.get("before")
        times = [_seconds(own.get(name)) for name in ("first", "seconds", "cpu")]
        cells = [each["name"], each["shows"], *ranks, "" if before is None else str(before)]
        yield f"| {' | '.join([*cells, ', '.join(times), own.get('by', '')])} |"


def summary(measured: Sequence[dict[str, Any]]) -> Iterator[str]:
    """A table: for each way, in how many faults it names the place among its first ones."""
    count = len(measured)
    names = (
        f"{count} faults",
        "measured",
        "first",
        "among 3",
        "among 10",
        "at all",
        "line named",
        "no answer",
    )
    yield f"| {' | '.join(names)} | median s | median cpu s |"
    yield "|---" * (len(names) + 2) + "|"
    for way in WAYS:
        answers = [each["answers"][way] for each in measured if way in each["answers"]]
        if not answers:
            continue
        ranks = [each["rank"] for each in answers if each["rank"] is not None]
        cells = [sum(rank <= most for rank in ranks) for most in (1, 3, 10)]
        cells = [len(answers), *cells, len(ranks), sum(each["exact"] for each in answers)]
        cells += [sum(not each["places"] for each in answers)]
        seconds = median(each["seconds"] for each in answers)
        used = [each["cpu"] for each in answers if each.get("cpu") is not None]
        cpu = f"{median(used):.1f}" if used else ""
        yield f"| {way} | {' | '.join(map(str, cells))} | {seconds:.1f} | {cpu} |"


def _rank(answer: dict[str, Any] | None) -> str:
    if answer is None:
        return ""
    if answer["rank"] is not None:
        return f"{answer['rank']}"
    return "not" if answer["places"] else "–"


def _seconds(value: float | None) -> str:
    return "–" if value is None else f"{value:.0f}"


def main() -> int:
    """Measure the faults named, or those of a half."""
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.why", description=(__doc__ or "").partition("\n")[0]
    )
    parser.add_argument("--half", choices=[SEEN, ASIDE], default=SEEN, help="which faults (seen)")
    parser.add_argument("--only", metavar="NAME", help="a fault, or all of a package")
    parser.add_argument("--way", action="append", choices=WAYS, help="one of them; repeatable")
    parser.add_argument("--jail", help="what runs tests of strangers: COMMAND FOLDER WORDS...")
    parser.add_argument("--jobs", type=int, default=1, help="faults at a time (1)")
    parser.add_argument("--tree", type=Path, default=ROOT, help="the STRIPE that is measured")
    parser.add_argument(
        "--json", type=Path, metavar="FILE",
        help="write the figures there, too; what it has is not measured again, but a --way",
    )  # fmt: skip
    parser.add_argument("--read", type=Path, metavar="FILE", help="measure nothing: show these")
    parser.add_argument(
        "--rerank", type=Path, metavar="FILE",
        help="measure nothing: rank again what was found, by the formula as it is now",
    )  # fmt: skip
    parser.add_argument("--list", action="store_true", help="name the faults of the half, and end")
    given = parser.parse_args()
    chosen = [
        each for each in read()
        if each.half == given.half and given.only in (None, each.name, each.package)
    ]  # fmt: skip
    if given.list:
        print(
            *(f"{each.name}  {each.test or each.script}  {each.fixes}" for each in chosen), sep="\n"
        )
        return 0
    known = {}
    if given.json and given.json.exists():
        known = {each["name"]: each for each in json.loads(given.json.read_text("utf-8"))}
    if given.read:
        measured = json.loads(given.read.read_text("utf-8"))
        print(*rows(measured), "", *summary(measured), sep="\n")
        return 0
    if given.rerank:
        measured = []
        for each in json.loads(given.rerank.read_text("utf-8")):
            fault = next(fault for fault in read() if fault.name == each["name"])
            answers = each["answers"]
            if "why" in answers:
                answers = answers | {"why": again(fault, place(fault), answers["why"])}
            measured.append(each | {"answers": answers})
        print(*rows(measured), "", *summary(measured), sep="\n")
        return 0
    if given.jail is None and {"traceback", "ochiai"} & {*(given.way or WAYS)}:
        parser.error("tests of strangers need a --jail")

    def one(fault: Fault) -> dict[str, Any] | None:
        answers = known.get(fault.name, {}).get("answers", {})
        ways = given.way or [way for way in WAYS if way not in answers]
        try:
            found = measure(fault, given.jail, given.tree.resolve(), ways)
        except (OSError, SubprocessError) as error:
            print(f"{fault.name}: {error}", file=sys.stderr)
            return known.get(fault.name)
        new = {way: asdict(answer) for way, answer in found.items()}
        return {"name": fault.name, "shows": fault.kind, "answers": answers | new}

    with ThreadPoolExecutor(given.jobs) as pool:
        for each in pool.map(one, chosen):
            if each is not None:
                known[each["name"]] = each
                print(list(rows([each]))[-1], file=sys.stderr, flush=True)
                if given.json:
                    given.json.write_text(json.dumps([*known.values()], indent=1), "utf-8")
    measured = [known[each.name] for each in chosen if each.name in known]
    print(*rows(measured), "", *summary(measured), sep="\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
