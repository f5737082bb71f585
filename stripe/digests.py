"""Digests as :mod:`hashlib` makes them, without OpenSSL: that takes longest to load of all we use.

What is digested is small, so it does not matter that OpenSSL is quicker at it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from hashlib import blake2b as blake2b
    from hashlib import sha256 as sha256
else:
    try:
        import _blake2
        import _sha2
    except ImportError:  # nobody promises that they are there
        import hashlib as _sha2

        _blake2 = _sha2
    blake2b, sha256 = _blake2.blake2b, _sha2.sha256
