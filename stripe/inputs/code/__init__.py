"""Python programs as inputs: lines, deletions and replacements in their syntax tree."""
