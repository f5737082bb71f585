"""Variables by which libraries are asked to compute in one thread, in the runs of a search.

A process with threads cannot be forked safely, and what threads add up in another order differs in
its last digits. Numerical libraries start theirs while they are imported, as many as there are
processors; each reads a variable of its own.
"""

from __future__ import annotations

from collections.abc import Mapping

ONE_THREAD: Mapping[str, str] = {
    "OMP_NUM_THREADS": "1",  # OpenMP: scikit-learn, torch, and others that are named below
    "OPENBLAS_NUM_THREADS": "1",  # numpy, scipy
    "MKL_NUM_THREADS": "1",
    "BLIS_NUM_THREADS": "1",
    "VECLIB_MAXIMUM_THREADS": "1",
    "NVPL_NUM_THREADS": "1",
    "NUMEXPR_NUM_THREADS": "1",  # numexpr, which pandas uses
    "NUMEXPR_MAX_THREADS": "1",
    "NUMBA_NUM_THREADS": "1",
    "BLOSC_NTHREADS": "1",  # tables, zarr
    "RAYON_NUM_THREADS": "1",  # libraries in Rust
    "TOKENIZERS_PARALLELISM": "false",
    "POLARS_MAX_THREADS": "1",
    "OPENCV_FOR_THREADS_NUM": "1",
    "TF_NUM_INTRAOP_THREADS": "1",
    "TF_NUM_INTEROP_THREADS": "1",
}
"""What is asked for, unless the user has set the variable."""


def in_one_thread(environment: Mapping[str, str]) -> dict[str, str]:
    """An environment with `ONE_THREAD`, as far as it does not say otherwise."""
    return {**ONE_THREAD, **environment}


def asked_for_more(environment: Mapping[str, str]) -> list[str]:
    """The variables with which the user asks for something else."""
    return [
        name for name in ONE_THREAD if environment.get(name, ONE_THREAD[name]) != ONE_THREAD[name]
    ]
