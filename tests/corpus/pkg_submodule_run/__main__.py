# run: -m pkg_submodule_run.tools.counter 3
print("not run")
