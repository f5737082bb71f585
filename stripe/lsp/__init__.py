"""The language server: critical slices in an editor.

What clients and the server say to each other is in ``docs/editors.md``.  A search runs in a
process of its own (:mod:`stripe.lsp.worker`), started and ended by :mod:`stripe.lsp.search`; what
it finds is kept by :mod:`stripe.lsp.slices` and turned into what editors show by
:mod:`stripe.lsp.view`.  Needs the extra ``lsp``; nothing of ours imports this but the verb.
"""
