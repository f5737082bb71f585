"""The process a search runs in: ``python -m stripe.lsp.worker``.

See :mod:`stripe.search_process.child`; the request is a job.
"""

from __future__ import annotations

import os
import sys
from typing import Any

from stripe.api import trace
from stripe.campaign.journals import default_folder
from stripe.lsp.failing_tests import suspects_of, trace_test
from stripe.lsp.job import Job
from stripe.lsp.why import why_of
from stripe.reduce import Result
from stripe.results.why import Document
from stripe.search_process.child import Speaker, work
from stripe.suspects import SuspectsResult


def run(job: Job, speaker: Speaker) -> Result | SuspectsResult | Document:
    """Do what the job asks for."""
    if job.why:
        return why_of(job, speaker, lambda document: speaker.better(document.to_json()))
    options: dict[str, Any] = {
        "directory": job.directory,
        "python": job.python,
        "timeout": job.timeout,
        "max_tests": job.max_tests,
        "max_time": job.max_time,
        "jobs": job.jobs,
        "progress": speaker,
    }
    if job.suspects:
        return suspects_of(job, {**options, "stdin": job.stdin.encode("utf-8", "surrogateescape")})
    options |= {
        "check": job.check,
        "control": job.control,
        "values": job.values,
        "stdin": job.stdin,
        # What was ended early goes on when it is asked for again.
        "journals": default_folder(),
        "resume": True,
    }
    if job.test is not None:
        return trace_test(job, options)
    return trace(job.program, *job.arguments, module=job.module, **options)


def search(request: str, speaker: Speaker) -> Any:
    """What the job of a request comes to, as plain JSON data."""
    job = Job.from_json(request)
    os.chdir(job.directory)
    return run(job, speaker).to_json()


if __name__ == "__main__":
    sys.exit(work(search))
