"""What every reduction shares, whatever it reduces.

A :class:`~stripe.campaign.campaign.Campaign` is one reduction.  It runs searches of
:mod:`stripe.dd`, each told as a :class:`~stripe.campaign.problem.Problem`, within one budget of
tests and time, with one ledger of outcomes and one end.
"""
