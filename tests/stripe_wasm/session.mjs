// The playground under Node: a line of JSON each for a request and its answer.
// usage: node session.mjs ASSETS PYODIDE
import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { pathToFileURL } from "node:url";
import { gunzipSync } from "node:zlib";
import { start } from "../../docs/playground/session.js";

const [folder, pyodide] = process.argv.slice(2);
const { loadPyodide } = await import(pathToFileURL(`${pyodide}/pyodide.mjs`).href);
const assets = new Map();
for (const each of readdirSync(folder)) {
  const found = /^playgroundAsset\("(.*?)", "(.*?)"\)/.exec(readFileSync(`${folder}/${each}`, "latin1"));
  if (found) assets.set(found[1], new Uint8Array(gunzipSync(Buffer.from(found[2], "base64"))));
}
const done = [];
const session = await start(assets, loadPyodide, (what) => done.push(what));
const say = (answer) => process.stdout.write(`${JSON.stringify(answer)}\n`);
say({ ready: true });
/** All that the next run would find: a digest of the memory, and the files. */
function state() {
  const { module, files, tree } = session.interpreter;
  const memory = createHash("sha256").update(module.HEAPU8.subarray(0, session.interpreter.memory.length)).digest("hex");
  const rest = module.HEAPU8.subarray(session.interpreter.memory.length);
  return { memory, clear: rest.every((each) => each === 0), files: [...tree.keys()].length, folder: files.cwd(),
    there: files.readdir("/home"), streams: files.streams.map((each, number) => each && [number, each.fd, each.path]) };
}
for await (const line of createInterface({ input: process.stdin })) {
  try {
    const request = JSON.parse(line);
    say(request.do === "state" ? state() : session.answer(request));
  } catch (error) {
    say({ failed: String(error?.message ?? error).slice(-2000) });
  }
}
