"""Which of the changes between two versions cause a failure?  After Zeller, ESEC/FSE 1999.

stripe.changes.find_changes("v1.0", "HEAD", test="make check")
"""

from stripe.changes.reduction import find_changes
from stripe.results.changes import ChangesResult

__all__ = ["ChangesResult", "find_changes"]
