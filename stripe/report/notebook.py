"""How notebooks show a result: a piece of HTML with its own style, no script, no names."""

from __future__ import annotations

from stripe.reduce import Result
from stripe.report.happened import happened
from stripe.report.html.marks import marked_files
from stripe.report.markup import template
from stripe.report.summary import conditions, faithfulness, minimality, verified


def fragment(result: Result) -> str:
    """The slices of ``result``, each over its source."""
    return template("notebook.html.jinja").render(
        result=result,
        facts=list(happened(result)),
        slices=[(each, marked_files(result, [each])) for each in result.slices],
        conditions=conditions,
        faithfulness=faithfulness,
        minimality=minimality,
        verified=verified,
    )
