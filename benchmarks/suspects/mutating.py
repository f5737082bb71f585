"""Cosmic Ray, a mutation tool, running as many candidates as are asked for: how many a second."""

from __future__ import annotations

import subprocess
import sys

from benchmarks.suspects.subjects import Subject
from tests.harm import jail

CONFIGURATION = """\
[cosmic-ray]
module-path = "{file}"
timeout = 20.0
excluded-modules = []
test-command = "{python} -m pytest -x -q -c/dev/null --rootdir=. -pno:cacheprovider {tests}"
[cosmic-ray.distributor]
name = "local"
"""

SCRIPT = """\
import pathlib, shutil, sqlite3, subprocess, sys, tempfile, time
places, configuration, count, tool = {places!r}, {configuration!r}, {count!r}, {tool!r}
top = pathlib.Path(tempfile.mkdtemp())
for name, source in places.items():
    copy = shutil.copytree if pathlib.Path(source).is_dir() else shutil.copyfile
    copy(source, top / name)
(top / "cr.toml").write_text(configuration)
call = lambda *words: subprocess.run([*tool, *words], cwd=top, check=True, stdout=2)
call("init", "cr.toml", "cr.sqlite")
session = sqlite3.connect(top / "cr.sqlite")
jobs = [row[0] for row in session.execute("select job_id from work_items")]
for table in ("mutation_specs", "work_items"):
    session.executemany(f"delete from {{table}} where job_id = ?", [(job,) for job in jobs[count:]])
session.commit()
began = time.monotonic()
call("exec", "cr.toml", "cr.sqlite")
seconds = time.monotonic() - began
done = session.execute("select count(*) from work_results").fetchone()[0]
print(done, seconds)
"""


def rate(of: Subject, file: str, count: int) -> tuple[int, float]:
    """How many candidates it ran, and how many of them a second, its start not counted.

    Raises OSError where it is not installed, or fails.
    """
    configuration = CONFIGURATION.format(
        file=file, python=sys.executable, tests=" ".join(of.tests[file])
    )
    script = SCRIPT.format(
        places={name: str(path) for name, path in of.places().items()},
        configuration=configuration,
        count=count,
        tool=[sys.executable, "-c", "from cosmic_ray.cli import main; main()"],
    )
    command = [sys.executable, jail.__file__, sys.executable, "-c", script]
    done = subprocess.run(command, capture_output=True, text=True, stdin=subprocess.DEVNULL)
    if done.returncode:
        raise OSError(done.stderr.strip().rpartition("\n")[2])
    number, seconds = done.stdout.split()[-2:]
    return int(number), int(number) / float(seconds)
