"""What a backend has found out and need not find out again: small files in the user's caches."""

from __future__ import annotations

from stripe.files import recall as recall
from stripe.files import remember as remember
