"""A small BASIC; ``python basic.py PROGRAM`` runs one, with ``--serve`` it records and replays.

Statements are LET, INPUT, PRINT, IF ... THEN, GOTO, REM and END; values are whole numbers.
"""

import io
import json
import re
import sys

QUOTED = r'("[^"]*")|'


class Basic:
    """A program, and what it has in memory while it runs."""

    def __init__(self, text, stdin, out):
        rows = (line.split(None, 2) for line in text.splitlines() if line.strip())
        self.lines = {int(number): (*rest, "")[:2] for number, *rest in rows}
        self.order = sorted(self.lines)
        self.memory, self.stdin, self.out = {}, stdin, out

    def execute(self, number):
        """Execute a line; the number of the next one, ``None`` at the end."""
        keyword, rest = self.lines[number]
        if keyword == "LET":
            name, _, value = rest.partition("=")
            self.memory[name.strip()] = self.value(value)
        elif keyword == "INPUT":
            self.memory[rest.strip()] = int(self.stdin.readline() or 0)
        elif keyword == "PRINT":
            print(*map(self.value, rest.split(";")), file=self.out)
        elif keyword == "GOTO":
            return int(rest)
        elif keyword == "IF":
            condition, _, goal = rest.partition(" THEN ")
            if self.value(re.sub(QUOTED + "(?<![<>])=", lambda found: found[1] or "==", condition)):
                return int(goal)
        elif keyword == "END":
            return None
        return next((each for each in self.order if each > number), None)

    def value(self, text):
        text = re.sub(QUOTED + "/", lambda found: found[1] or "//", text.strip())
        names = {name: self.memory.get(name, 0) for name in re.findall(r"[A-Z]\w*", text)}
        return eval(text, {"__builtins__": {}}, names)

    def run(self, path=None, kept=(), strict=False):
        """Run it; or go the way it went, ``path``, and execute only the events in ``kept``."""
        facts = {"end": "exited", "status": 0, "stderr": "", "path": []}
        number = self.order[0] if path is None else None
        recorded, kept = iter(path or ()), frozenset(kept)
        while (number := number if path is None else next(recorded, None)) is not None:
            event = len(facts["path"])
            facts["path"].append(number)
            if path is not None and event not in kept:
                continue
            try:
                following = self.execute(number)
            except Exception as error:
                return {**facts, "status": 1, "stderr": f"?{error} IN LINE {number}\n".upper()}
            if path is None:
                number = following
            elif strict and [following] != [*path[event + 1 : event + 2], None][:1]:
                return {**facts, "end": "diverged", "detail": f"line {number} goes elsewhere"}
        return facts


def serve(text):
    """Answer requests: ``stdin`` and what :meth:`Basic.run` is given, in JSON."""
    for line in sys.stdin:
        request, out = json.loads(line), io.StringIO()
        program = Basic(text, io.StringIO(request.pop("stdin")), out)
        facts = program.run(**request)
        print(json.dumps({**facts, "stdout": out.getvalue()}), flush=True)


if __name__ == "__main__":
    with open(sys.argv[1], encoding="utf-8") as file:
        source = file.read()
    if sys.argv[2:] == ["--serve"]:
        serve(source)
    else:
        done = Basic(source, sys.stdin, sys.stdout).run()
        sys.stderr.write(done["stderr"])
        sys.exit(done["status"])
