"""The backend of a page: programs run in another interpreter of the same page."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence

from stripe.backend import Probe, Recording, Target
from stripe_pytrace.refusals import require_program
from stripe_wasm.recording import Page, WasmRecording


class WasmBackend:
    """Runs ``.py`` files by a page that keeps an interpreter for them."""

    name = "python"
    suffixes: Mapping[str, str] = {".py": "python"}

    def __init__(self, page: Page) -> None:
        self._page = page

    def refuses(self, target: Target) -> str | None:
        """Why it cannot run a target, or ``None``."""
        if target.module or target.tty or target.cut or target.live or target.network:
            return "it runs files, to their end, without terminal and network"
        return None

    def record(self, target: Target, probes: Sequence[Probe] = ()) -> Recording:
        """See :class:`stripe.backend.Backend`."""
        require_program(target)
        version = f"Python {sys.version.partition(' ')[0]} in WebAssembly"
        return WasmRecording(self._page, target, probes, version)
