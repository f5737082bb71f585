"""The native backend: records and replays C, C++ and Rust programs through gdb."""
