from typing import Any

from stripe.reduce import Result


def sarif(result: Result) -> dict[str, Any]:
    return {}
