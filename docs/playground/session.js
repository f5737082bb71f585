/* Two interpreters: one in which STRIPE runs, and one in which the program does, again and again. */
"use strict";

import { Interpreter } from "./interpreter.js";

const FOLDER = "/stripe";
const SITE = "/site";
const RESOURCE = `
import sys, types
# There are no limits of resources here; STRIPE asks for some as it starts.
resource = types.ModuleType("resource")
resource.RLIM_INFINITY = -1
resource.getrlimit = lambda which: (-1, -1)
sys.modules["resource"] = resource
sys.path.insert(0, "/site")
`;
const HOST = `
import sys
import page
from pyodide.ffi import to_js
from stripe_wasm.session import Session


def run(files):
    answer = page.run(to_js([[path, content] for path, content in files.items()]))
    found = {"files": {path: content.to_bytes() for path, content in answer.files.entries()}}
    for name in ("status", "broken"):
        if hasattr(answer, name):
            found[name] = getattr(answer, name)
    return found


session = Session(run, page.doing)
session.answer
`;

/** Start both, with `assets`: a file's bytes by its name. `load` starts one interpreter. */
export async function start(assets, load, doing) {
  const environment = { PYTHONHASHSEED: "0", HOME: "/home/pyodide" };
  doing("starting the interpreter of the program");
  const guest = await load({ env: environment });
  guest.FS.mkdirTree(FOLDER);
  guest.unpackArchive(assets.get("agent.zip"), "zip", { extractDir: `${FOLDER}/agent` });
  const script = new TextDecoder().decode(assets.get("guest.py"));
  const interpreter = new Interpreter(guest, `${script}\nbegin()\n`);
  doing("starting STRIPE");
  const host = await load({ env: { ...environment, COLUMNS: "100" } });
  host.FS.mkdirTree(SITE);
  host.unpackArchive(assets.get("stripe.zip"), "zip", { extractDir: SITE });
  host.registerJsModule("page", {
    run: (files) => interpreter.run(new Map(files)),
    doing: (what) => doing(what),
  });
  host.runPython(RESOURCE);
  const answer = host.runPython(HOST);
  return { answer: (request) => JSON.parse(answer(JSON.stringify(request))), interpreter };
}
