// Compiles the Python files of a zip by Pyodide's own Python: node compile_in_pyodide.mjs PYODIDE IN OUT [cached]
// Each .py is replaced by a .pyc of the same name; with "cached" it stays, and has one in __pycache__.
import { readFileSync, writeFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

const [pyodide, source, target, cached] = process.argv.slice(2);
const { loadPyodide } = await import(pathToFileURL(`${pyodide}/pyodide.mjs`).href);
const python = await loadPyodide();
python.FS.writeFile("/in.zip", readFileSync(source));
python.globals.set("cached", Boolean(cached));
python.runPython(`
import importlib._bootstrap_external as external
import sys
import zipfile

with zipfile.ZipFile("/in.zip") as old, zipfile.ZipFile("/out.zip", "w") as new:
    for name in old.namelist():
        content = old.read(name)
        if not name.endswith(".py"):
            new.writestr(name, content)
            continue
        stem = name.removesuffix(".py")
        path = f"/stripe/agent/{name}" if cached else f"/site/{name}"
        code = compile(content, path, "exec", dont_inherit=True)
        compiled = external._code_to_hash_pyc(code, bytes(8), False)
        if cached:
            new.writestr(name, content)
            folder, _, last = stem.rpartition("/")
            place = f"{folder}/__pycache__" if folder else "__pycache__"
            new.writestr(f"{place}/{last}.{sys.implementation.cache_tag}.pyc", compiled)
        else:
            new.writestr(f"{stem}.pyc", compiled)
`);
writeFileSync(target, python.FS.readFile("/out.zip"));
