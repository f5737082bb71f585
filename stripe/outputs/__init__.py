"""What the command writes, and that it harms nothing: the one door for all outputs of all verbs.

:func:`claim` is told everything that is read and every output before anything is run, and refuses
what would be overwritten.  :func:`save` writes a file beside its place and renames it; what cannot
be written is kept elsewhere.
"""

from stripe.outputs.claims import Reads, claim
from stripe.outputs.output import Loss, Output, complain, keep, save

__all__ = ["Loss", "Output", "Reads", "claim", "complain", "keep", "save"]
