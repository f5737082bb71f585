"""Any moment of a deterministic run, by forks that stand still."""
