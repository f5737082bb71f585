"""What may be wrong with a call that is to be reduced: the errors of the Debugging Book."""

from __future__ import annotations

from stripe.errors import NotReducible, UsageError


class NoCallError(UsageError, ValueError):
    """No call was observed."""

    def __init__(self, message: str, hint: str = "") -> None:
        super().__init__("no-call", message, hint)


class NotFailingError(NotReducible, ValueError):
    """The call raises no exception, or none when it is made again."""

    def __init__(self, message: str, hint: str = "") -> None:
        super().__init__("not-failing", message, hint)


class NotPassingError(NotReducible, ValueError):
    """The call does not even pass with all arguments empty: there is no passing one to grow."""

    def __init__(self, message: str, hint: str = "") -> None:
        super().__init__("not-passing", message, hint)


class FailureNotReproducedError(NotReducible, ValueError):
    """The call ends in another way when it is made again."""

    def __init__(self, message: str, hint: str = "") -> None:
        super().__init__("failure-not-reproduced", message, hint)
