"""The command ``stripe.why``: what is asked, and what an editor is answered."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from stripe.campaign.progress import Progress
from stripe.deadline import Deadline
from stripe.failing_run import named_target
from stripe.lsp.job import Job
from stripe.report.style import Style
from stripe.report.why import why_lines
from stripe.results import why
from stripe.results.why import Document
from stripe.why import MAX_TIME, inquire


def why_of(
    job: Job, progress: Callable[[Progress], None], better: Callable[[Document], None]
) -> Document:
    """Why a program, or a test of pytest, fails; ``better`` hears each answer so far.

    Raises:
        StripeError: all that :func:`stripe.why.inquire` raises.
    """
    target = named_target(
        job.program,
        job.arguments,
        directory=Path(job.directory),
        test=job.test,
        module=job.module,
        stdin=job.stdin,
        python=job.python,
        timeout=job.timeout,
        jobs=job.jobs,
        deadline=Deadline(job.max_time or MAX_TIME),
    )
    check = job.check[0] if job.check else ""

    def tell(document: Document) -> None:
        if document.places:  # that nothing was found is said in the end
            better(document)

    return inquire(target, check=check, better=tell, progress=progress)


def read(data: Any) -> Document:
    """The answer in JSON data of the worker."""
    return why.from_json(data, "the answer")


def answer(document: Document, directory: str) -> dict[str, Any]:
    """The answer of the command: the screen as text, and the places."""
    return {
        "status": "answered" if document.places else "nothing",
        "happened": document.happened.says,
        "text": screen(document),
        "places": [
            {
                "uri": Path(directory, each.file).as_uri(),
                "line": each.line,
                "source": each.source,
                "why": [reason.says for reason in each.why],
            }
            for each in document.places
        ],
    }


def screen(document: Document) -> str:
    """The answer as text; the rest of it is in the places."""
    return "\n".join(why_lines(document, Style(), ""))
