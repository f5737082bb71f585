"""Started with the user's interpreter: ``python boot.py IN OUT [ENTRY]`` (two file descriptors).

Loads the agent under a private name, so that neither this folder nor anything of ours can be
imported by the program, and forgets the modules only the agent needs, so that the program
finds its own if it has some of the same names.  ENTRY is the module to start with.
"""

import sys

sys.path_importer_cache.pop(sys.argv[0], None)  # this file, which the interpreter has looked at
_before = set(sys.modules), set(sys.path_importer_cache)


def _load(file, entry):  # type: ignore[no-untyped-def]
    import gc

    # What importlib.util has, without the library's package around it.
    from _frozen_importlib import module_from_spec
    from _frozen_importlib_external import spec_from_file_location

    gc.disable()  # all of it stays: to look for what does not takes a fifth of the time
    # What is only imported when it is used would by then not be found: it is forgotten below.
    lazy = sys.get_lazy_imports() if hasattr(sys, "get_lazy_imports") else None
    if lazy is not None:
        sys.set_lazy_imports("normal")  # type: ignore[attr-defined]
    folder = file.rpartition("/")[0]
    if sys.path and sys.path[0] == folder:
        del sys.path[0]
    spec = spec_from_file_location(
        "_stripe_agent", folder + "/__init__.py", submodule_search_locations=[folder]
    )
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    sys.modules["_stripe_agent"] = module
    spec.loader.exec_module(module)
    __import__("_stripe_agent." + entry)
    main = sys.modules["_stripe_agent." + entry]
    if lazy is not None:
        sys.set_lazy_imports(lazy)  # type: ignore[attr-defined]
    modules, finders = _before
    for name in set(sys.modules) - modules:
        del sys.modules[name]
    for path in set(sys.path_importer_cache) - finders:
        del sys.path_importer_cache[path]
    gc.enable()
    return main.main


_load(__file__, (sys.argv[3:] or ["main"])[0])(int(sys.argv[1]), int(sys.argv[2]))  # type: ignore[no-untyped-call]
