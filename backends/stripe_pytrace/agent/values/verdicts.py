"""What comes of a test, as the host is told; here, so that who records imports no more."""

from __future__ import annotations

PASSED, FAILED, OTHER = "passed", "failed", "other"
