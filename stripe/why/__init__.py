"""Why a program or a test fails: one question, the experiments chosen for it, one answer.

This room chooses and ranks; what is tried, the rooms of the other verbs try.
"""

from __future__ import annotations

from stripe.why.inquiry import MAX_TIME, inquire

__all__ = ["MAX_TIME", "inquire"]
