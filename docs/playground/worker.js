/* The worker of the page: gets the assets, starts a session, and answers one request at a time.
 *
 * It is a classic script of its own, and makes the addresses of its modules itself: on a page that was
 * opened from a folder, no other worker runs, and none can load what the page has made. */
"use strict";

const MODULES = ["interpreter.js", "session.js", "pyodide.mjs", "pyodide.asm.mjs"];
// Where the parts of Pyodide would come from: they are here already.
const NOWHERE = "https://playground.invalid/";
const assets = new Map();
let compiled;

self.fetch = async (address) => {
  const content = assets.get(String(address).replace(NOWHERE, ""));
  if (!content) throw new Error(`${address} is not a part of this page`);
  return new Response(content, { headers: { "Content-Type": "application/wasm" } });
};
// Two interpreters, of one module.
WebAssembly.instantiateStreaming = async (response, imports) => {
  compiled ??= WebAssembly.compileStreaming(response);
  const module = await compiled;
  return { module, instance: await WebAssembly.instantiate(module, imports) };
};

// Pyodide asks for a module worker, of which it needs nothing but import(), by calling this.
self.importScripts = () => {
  throw new TypeError("modules are imported here");
};

async function modules() {
  const addresses = {};
  const found = {};
  for (const name of MODULES) {
    let text = new TextDecoder().decode(assets.get(name));
    for (const [other, address] of Object.entries(addresses)) text = text.replace(`"./${other}"`, `"${address}"`);
    addresses[name] = URL.createObjectURL(new Blob([text], { type: "text/javascript" }));
    found[name] = await import(addresses[name]);
  }
  return found;
}

async function begin() {
  const found = await modules();
  const load = (options) =>
    found["pyodide.mjs"].loadPyodide({
      ...options,
      createPyodideModule: found["pyodide.asm.mjs"].default,
      indexURL: NOWHERE,
      lockFileContents: JSON.parse(new TextDecoder().decode(assets.get("lock.json"))),
    });
  return found["session.js"].start(assets, load, (what) => self.postMessage({ doing: what }));
}

let session;
self.onmessage = async ({ data }) => {
  try {
    if (data.assets) {
      for (const [name, content] of data.assets) assets.set(name, content);
      session = await begin();
      self.postMessage({ ready: true });
    } else {
      self.postMessage({ id: data.id, answer: session.answer(data.request) });
    }
  } catch (error) {
    self.postMessage({ id: data.id, failed: String(error?.stack ?? error) });
  }
};
