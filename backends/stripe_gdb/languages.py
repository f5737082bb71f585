"""The languages whose sources can be compiled, by the suffixes of their files."""

from __future__ import annotations

C = (".c",)
CXX = (".cc", ".cpp", ".cxx", ".c++", ".C")
RUST = (".rs",)
SUFFIXES = (*C, *CXX, *RUST)
