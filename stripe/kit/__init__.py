"""What backends are made of; only they use it.

A backend needs little else than a way to run a program recorded, and one to run it with only some
events taking effect.  All that goes with it is here: the slots it runs in (:mod:`.slots`), what
their paths are called (:mod:`.paths`), limits (:mod:`.limits`), the environment and what a plain
run reads (:mod:`.running`), processes that replay and are asked in JSON (:mod:`.engines`,
:mod:`.conversation`), the frame of a recording (:mod:`.recording`), and errors in the same words
(:mod:`.refusals`).  ``docs/write-a-backend.md`` makes one.
"""
