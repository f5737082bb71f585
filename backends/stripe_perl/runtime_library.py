"""The runtime that perl loads: built at first use, into a cache, as that perl was built."""

from __future__ import annotations

import hashlib
import shutil
import subprocess
from contextlib import closing
from functools import cache
from pathlib import Path

from stripe.errors import UsageError, quoted
from stripe.kit.caches import caches
from stripe.sandbox.scratch import Scratch

SOURCES = Path(__file__).with_name("runtime")
OLDEST = (5, 30)

_FACTS = (
    "use Config; printf qq(%vd\\n%s\\n%s\\n%s\\n), $^V, $Config{archlibexp}, $Config{archname},"
    " join q( ), @Config{qw(cc ccflags optimize usethreads)}"
)


def require_headers(perl: str) -> list[str]:
    """What a perl was built as: its version, the folder of its headers, its kind and its compiler.

    Raises:
        UsageError: ``old-perl``, ``no-perl-headers``.
    """
    asked = subprocess.run([perl, "-e", _FACTS], capture_output=True, text=True, check=False)
    facts = asked.stdout.splitlines()
    if len(facts) != 4 or tuple(map(int, facts[0].split(".")[:2])) < OLDEST:
        raise UsageError(
            "old-perl",
            f"{perl} is perl {facts[0] if facts else '?'}.",
            f"Perl {OLDEST[0]}.{OLDEST[1]} or later is needed: put one first into $PATH.",
        )
    headers = Path(facts[1]) / "CORE" / "perl.h"
    compiler = facts[3].split()[0]
    if not headers.is_file() or shutil.which(compiler) is None:
        what = compiler if headers.is_file() else headers
        raise UsageError(
            "no-perl-headers",
            f"What is loaded into perl is compiled once, and there is no {what}.",
            "Install them: apt-get install gcc libc6-dev perl libperl-dev",
        )
    return facts


@cache
def built_runtime(perl: str) -> Path:
    """The folder that holds the runtime for a perl; builds it if the cache has none.

    Raises:
        UsageError: ``old-perl``, ``no-perl-headers``, ``no-perl-runtime``.
    """
    facts = require_headers(perl)
    digest = hashlib.sha256(repr((perl, facts)).encode())
    for source in sorted(SOURCES.iterdir()):
        digest.update(source.read_bytes())
    folder = caches() / "perl" / digest.hexdigest()[:20]
    if not folder.is_dir():
        try:
            _build(perl, folder)
        except OSError as error:
            raise UsageError(
                "no-perl-runtime",
                f"What is loaded into perl cannot be built in {folder.parent}: {error.strerror}.",
                "Name a folder for caches that can be written: XDG_CACHE_HOME=DIR",
            ) from None
    return folder


def _build(perl: str, folder: Path) -> None:
    folder.parent.mkdir(parents=True, exist_ok=True)
    with closing(Scratch(str(folder.parent))) as scratch:
        made = scratch.path / "made"
        place = made / "auto" / "StripeRuntime"
        place.mkdir(parents=True)
        shutil.copy(SOURCES / "StripeRuntime.pm", made)
        target = place / "StripeRuntime.so"
        command = [perl, str(SOURCES / "build.pl"), str(SOURCES / "runtime.c"), str(target)]
        done = subprocess.run(command, cwd=scratch.path, capture_output=True, check=False)
        if done.returncode != 0:
            raise UsageError(
                "no-perl-runtime",
                f"What is loaded into {perl} does not compile:{quoted(done.stdout + done.stderr)}",
                "Perl 5.36 is what it was tested with: put one first into $PATH.",
            )
        try:
            made.rename(folder)
        except OSError:
            if not folder.is_dir():  # somebody else may have made it meanwhile
                raise
