import importlib, importlib.util, pkgutil, sys
import plugins

found = {}
for info in sorted(pkgutil.iter_modules(plugins.__path__), key=lambda i: i.name):
    try:
        module = importlib.import_module(f"plugins.{info.name}")
    except Exception as e:
        print("skipping", info.name, "-", e)
        continue
    found[info.name] = module
    print(info.name, module.run(5))
print("half-loaded:", "plugins.faulty" in sys.modules)
print(importlib.util.find_spec("plugins.nowhere"))
relative = importlib.import_module(".double", package="plugins")
print(relative is found["double"], plugins.REGISTRY)
