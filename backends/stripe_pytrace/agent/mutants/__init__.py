"""Mutation operators: the small changes of a program that are tried."""
