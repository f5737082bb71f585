"""Answers as JSON: one declarative model each, from which reader, limits and schema come.

:mod:`.formats` says which answers there are.  What a schema cannot say, how values of a document go
together, are small functions beside the model.
"""
