"""The ptrace engine: a process of its own that runs the program without gdb, on x86-64 Linux."""
