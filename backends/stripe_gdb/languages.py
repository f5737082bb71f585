"""The languages whose sources can be compiled, by the suffixes of their files."""

from __future__ import annotations

C = (".c",)
CXX = (".cc", ".cpp", ".cxx", ".c++", ".C")
RUST = (".rs",)

LANGUAGES = {
    **dict.fromkeys(C, "c"),
    **dict.fromkeys(CXX, "cpp"),
    **dict.fromkeys(RUST, "rust"),
}
"""Their names, by suffix."""
