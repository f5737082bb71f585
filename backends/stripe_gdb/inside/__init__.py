"""What runs inside gdb: standard library and ``gdb`` only, for any Python gdb may embed."""
