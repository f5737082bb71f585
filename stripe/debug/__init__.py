"""The debugger that goes backwards: a session, and its two faces (DAP, terminal)."""
