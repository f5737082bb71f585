/* The page of the playground: what is chosen, asked of the worker, shown and graded. */
"use strict";

const $ = (id) => document.getElementById(id);
const assets = new Map();
const PARTS = ["pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm", "python_stdlib.zip", "interpreter.js", "session.js",
  "worker.js", "guest.py", "stripe.zip", "agent.zip", "lock.json"];

/** Make an element; names that begin with "on" are events. */
function make(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (value !== false && value !== null) element.setAttribute(name, value);
  }
  element.append(...children);
  return element;
}

// --- the worker ---------------------------------------------------------------------------------

/** Called by the scripts in assets/: a page that was opened from a folder can load nothing else. */
function playgroundAsset(name, packed) {
  assets.set(name, Uint8Array.from(atob(packed), (each) => each.charCodeAt(0)));
}

async function unpacked(name) {
  const stream = new Blob([assets.get(name)]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

function loadScript(source) {
  return new Promise((resolve, reject) => {
    document.head.append(make("script", { src: source, onload: resolve, onerror: () => reject(new Error(`${source} is missing`)) }));
  });
}

let contents;
async function loadAssets() {
  await Promise.all(PARTS.map((name) => loadScript(`assets/${name}.js`)));
  contents = new Map(await Promise.all(PARTS.map(async (name) => [name, await unpacked(name)])));
  assets.clear();
}

const waiting = new Map();
let worker, asked = 0, ready;

function startWorker() {
  const script = new Blob([contents.get("worker.js")], { type: "text/javascript" });
  worker = new Worker(URL.createObjectURL(script));
  ready = new Promise((resolve, reject) => {
    worker.onmessage = ({ data }) => {
      if (data.doing) say(`${data.doing} …`);
      else if (data.ready) resolve();
      else if (data.id === undefined) reject(new Error(data.failed));
      else settle(data);
    };
    worker.onerror = (event) => reject(new Error(event.message));
  });
  worker.postMessage({ assets: contents });
}

function settle({ id, answer, failed }) {
  const { resolve, reject } = waiting.get(id);
  waiting.delete(id);
  if (failed) reject(new Error(failed));
  else resolve(answer);
}

/** Ask STRIPE; while it answers, all that asks is off, and it can be stopped. */
async function ask(request) {
  await ready;
  busy(true);
  try {
    return await new Promise((resolve, reject) => {
      asked += 1;
      waiting.set(asked, { resolve, reject });
      worker.postMessage({ id: asked, request });
    });
  } finally {
    busy(false);
  }
}

async function stop() {
  worker.terminate();
  for (const { reject } of waiting.values()) reject(new Error("It was stopped."));
  waiting.clear();
  await begin();
}

async function begin() {
  off(true);
  try {
    startWorker();
    await ready;
    off(false);
    say("Ready.");
  } catch (error) {
    say(`It cannot start here: ${error.message}`);
  }
}

const say = (text) => { $("status").textContent = text; };
const off = (is) => { for (const id of ["trace", "play", "predict"]) $(id).disabled = is; };
function busy(is) {
  off(is);
  $("stop").hidden = !is;
  document.body.toggleAttribute("aria-busy", is);
  for (const each of document.querySelectorAll("#found button")) each.disabled = is;
  if (!is) say("Ready.");
}

// --- what is chosen -----------------------------------------------------------------------------

let chosen = CHOICES[0];
const given = () => ({ program: $("program").value, stdin: $("stdin").value, check: $("check").value.trim() });

function choose(index) {
  chosen = CHOICES[index];
  $("program").value = PROGRAMS[chosen.file];
  $("stdin").value = chosen.stdin ?? "";
  $("check").value = chosen.check;
  $("algorithm").value = chosen.algorithm ?? "auto";
  $("control").value = "trace";
  $("said").textContent = chosen.say;
  $("grade").hidden = true;
  show();
}

function grade(done, text) {
  if (!chosen.goal) return;
  $("grade").hidden = false;
  $("grade").className = done ? "done" : "not";
  $("grade").textContent = `${done ? "✓ Done." : "Not yet."} ${text}`;
}

const show = (...children) => $("found").replaceChildren(...children);

function showError(answer) {
  show(make("div", { class: "error" }, make("h2", {}, `[${answer.error}]`), make("p", {}, answer.message),
    make("p", { class: "hint" }, answer.hint)));
}

function guarded(action) {
  return async () => {
    try {
      await action();
    } catch (error) {
      show(make("pre", { class: "error" }, error.message));
    }
  };
}

// --- trace --------------------------------------------------------------------------------------

async function trace() {
  const request = { do: "trace", ...given(), algorithm: $("algorithm").value, control: $("control").value };
  const answer = await ask(request);
  if (answer.error) { showError(answer); return null; }
  show(
    make("p", { id: "answer" }, `${answer.kept} of ${answer.of} executions are needed, by ${answer.tests} tests`
      + `${answer.certified ? "; leaving out any one of them loses it" : ""}.`),
    make("iframe", { title: "The critical slice", sandbox: "allow-scripts", srcdoc: answer.page }),
  );
  if (chosen.goal === "hold") {
    const missing = chosen.lines.filter((line) => !answer.lines.includes(line));
    const same = $("program").value === PROGRAMS[chosen.file];
    grade(same && !missing.length, !same ? "The program is to stay as it is."
      : missing.length ? `Line ${missing.join(" and ")} is not in the slice of ${answer.criterion}.` : "Both are in the slice.");
  }
  if (chosen.goal === "print") await gradeOutput();
  return answer;
}

async function gradeOutput() {
  const ran = await ask({ do: "run", program: $("program").value, stdin: $("stdin").value });
  if (ran.error) return;
  const lines = ran.stdout.split("\n");
  const wrong = [chosen.expected, ...chosen.also].filter((line) => !lines.includes(line));
  grade(!wrong.length, wrong.length ? `It does not print “${wrong[0]}”.` : "It prints what it should.");
}

// --- predict ------------------------------------------------------------------------------------

function predict() {
  const lines = $("program").value.split("\n");
  if (lines.at(-1) === "") lines.pop();
  const list = make("ol", { class: "events" }, ...lines.map((text, index) => make("li", {}, make("label", {},
    make("input", { type: "checkbox", "data-line": index + 1 }),
    make("span", { class: "name" }, String(index + 1)), make("span", { class: "text" }, text)))));
  const reveal = make("button", { id: "reveal", onclick: guarded(async () => {
    const marked = [...list.querySelectorAll(":checked")].map((each) => Number(each.dataset.line));
    const answer = await trace();
    if (!answer) return;
    const missed = answer.lines.filter((line) => !marked.includes(line));
    const extra = marked.filter((line) => !answer.lines.includes(line));
    const right = marked.length - extra.length;
    const told = `${right} of ${answer.lines.length} lines found`
      + `${missed.length ? `; not marked: ${missed.join(", ")}` : ""}${extra.length ? `; not needed: ${extra.join(", ")}` : ""}.`;
    $("answer").before(make("p", { id: "score" }, told));
    if (chosen.goal === "predict") grade(!missed.length && !extra.length, told);
  }) }, "Reveal");
  show(make("h2", {}, "Mark the lines of the critical slice"), list, reveal);
}

// --- delta debugging by hand --------------------------------------------------------------------

async function play() {
  const begun = await ask({ do: "begin", ...given() });
  if (begun.error) { showError(begun); return; }
  const { events } = begun;
  let best = events.map((_, index) => index), tests = 0;
  const boxes = events.map((_, index) => make("input", { type: "checkbox", checked: "", "data-event": index }));
  const kept = () => boxes.flatMap((box, index) => (box.checked ? [index] : []));
  const keep = (which) => boxes.forEach((box, index) => { box.checked = which.includes(index); });
  const list = make("ol", { class: "events" }, ...events.map((event, index) => make("li", {}, make("label", {}, boxes[index],
    make("span", { class: "name" }, event.name), make("span", { class: "text" }, event.text)))));
  const log = make("tbody");
  const verdict = make("p", { id: "verdict", role: "status" }, "Everything is kept.");
  const strip = (which) => make("span", { class: "strip", "aria-hidden": "true" },
    ...events.map((_, index) => make("i", which.includes(index) ? { class: "k" } : {})));
  const test = async () => {
    const asking = kept();
    const came = await ask({ do: "test", kept: asking });
    if (came.error) { showError(came); return; }
    tests += 1;
    log.prepend(make("tr", {}, make("td", {}, String(tests)), make("td", {}, strip(came.kept)), make("td", {}, String(came.kept.length)),
      make("td", { class: came.outcome }, came.says), make("td", {}, came.why)));
    const smaller = came.outcome === "FAIL" && came.kept.length < best.length;
    if (smaller) best = came.kept;
    verdict.textContent = `Test ${tests}: ${came.kept.length} of ${events.length} kept; it ${came.says}. The smallest that shows it has ${best.length}.`;
  };
  const certify = async () => {
    const came = await ask({ do: "certify", kept: best });
    tests += came.tests;
    const names = came.more.map((event) => events[event].name).join(", ");
    verdict.textContent = came.minimal
      ? `1-minimal: it is lost without any one of these ${best.length}. You took ${tests} tests.` : `Not minimal yet: it is shown without ${names}, too.`;
    if (came.minimal) verdict.append(" ", make("button", { onclick: guarded(compare) }, "How many does ddmin take?"));
    if (chosen.goal === "minimise") grade(came.minimal, verdict.firstChild.textContent);
  };
  const compare = async () => {
    const came = await ask({ do: "trace", ...given(), algorithm: "ddmin" });
    verdict.textContent = came.error ? came.message : `ddmin: ${came.kept} kept, ${came.tests} tests. You: ${best.length} kept, ${tests} tests.`;
  };
  const half = (first) => () => {
    const now = kept(), middle = Math.ceil(now.length / 2);
    keep(first ? now.slice(0, middle) : now.slice(middle));
  };
  show(
    make("h2", {}, `Which of ${events.length} executions does ${begun.criterion} need?`), verdict,
    make("div", { class: "buttons" },
      make("button", { id: "test", onclick: guarded(test) }, "Test what is kept"),
      make("button", { onclick: half(true) }, "First half"), make("button", { onclick: half(false) }, "Second half"),
      make("button", { id: "best", onclick: () => keep(best) }, "Back to the smallest"),
      make("button", { id: "certify", onclick: guarded(certify) }, "Is the smallest minimal?")),
    list,
    make("table", { class: "tests" }, make("thead", {}, make("tr", {}, ...["test", "kept", "executions", "outcome", "why"].map((each) => make("th", { scope: "col" }, each)))), log),
  );
}

// --- the start ----------------------------------------------------------------------------------

for (const group of new Set(CHOICES.map((each) => each.group))) {
  $("choice").append(make("optgroup", { label: group }, ...CHOICES.flatMap((each, index) =>
    (each.group === group ? [make("option", { value: index }, each.title)] : []))));
}
$("choice").addEventListener("change", () => choose(Number($("choice").value)));
$("trace").addEventListener("click", guarded(trace));
$("play").addEventListener("click", guarded(play));
$("predict").addEventListener("click", guarded(async () => predict()));
$("stop").addEventListener("click", guarded(stop));
(async () => {
  try {
    await loadScript("assets/programs.js");
    choose(0);
    say("Loading Python …");
    await loadAssets();
    await begin();
  } catch (error) {
    say(`It cannot start here: ${error.message}`);
  }
})();
