"""JSON from files that anybody may have written, read within bounds."""
