# writes a module next to itself, imports, changes and reloads it
import importlib, os, sys
sys.path.insert(0, os.getcwd())
sys.dont_write_bytecode = True
name = "generated_mod"
try:
    with open(name + ".py", "w") as f:
        f.write("print('loading', __name__)\nVALUE = 1\ndef get():\n    return VALUE\n")
    import generated_mod
    print(generated_mod.get())
    import generated_mod as again
    with open(name + ".py", "w") as f:
        f.write("print('reloading')\nVALUE = 22\nEXTRA = True\ndef get():\n    v = VALUE\n    return -v\n")
    importlib.invalidate_caches()
    print(importlib.reload(generated_mod).get(), again.EXTRA)
    del sys.modules[name]
    from generated_mod import get
    print(get())
finally:
    os.remove(name + ".py")
