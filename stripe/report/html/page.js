(() => {
const data = JSON.parse(document.getElementById("data").textContent);
const {statements, events, slices} = data;
const $ = id => document.getElementById(id);
const svg = (tag, attributes) => {
  const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  return element;
};
const name = event => `${statements[events[event]][1]}_${event + 1}`;
const rowOf = event => $(`f${statements[events[event]][0]}l${statements[events[event]][1]}`);
const placeOf = event => `f${statements[events[event]][0]}l${statements[events[event]][1]}`;
const smooth = matchMedia("(prefers-reduced-motion: reduce)").matches ? "auto" : "smooth";

for (const slice of slices) {
  let sum = 0;
  slice.events = slice.events.map(step => sum += step);
  slice.set = new Set(slice.events);
  sum = 0;
  slice.governing = new Set(slice.governing.map(step => sum += step));
  slice.needs_of = new Map();
  slice.needed_by = new Map();
  for (const need of slice.needs) {
    const [event, on] = need;
    (slice.needs_of.get(event) ?? slice.needs_of.set(event, []).get(event)).push(need);
    (slice.needed_by.get(on) ?? slice.needed_by.set(on, []).get(on)).push(need);
  }
}
if (!slices.length) return;
document.documentElement.classList.add("js");
// Links to events lead to the source from here on, not to the folded table.
for (const row of document.querySelectorAll("#folded tr[id]")) row.removeAttribute("id");

// --- what is chosen ----------------------------------------------------------------------------
const state = {criterion: 0, event: null, allArrows: false, mode: "read", playing: null};
const current = () => slices[state.criterion];
const files = $("files");
const source = $("source");

function choose(criterion) {
  state.criterion = criterion;
  files.dataset.c = criterion;
  for (const button of document.querySelectorAll("#criteria button"))
    button.setAttribute("aria-pressed", String(Number(button.dataset.n) === criterion));
  for (const tests of document.querySelectorAll(".tests"))
    tests.hidden = Number(tests.dataset.s) !== criterion;
  if (state.mode === "predict") startPrediction();
  show();
}

function select(event, {scroll = true, hash = true} = {}) {
  state.event = event;
  if (hash) history.replaceState(null, "", event === null ? "#source"
    : `#${state.criterion ? `c${state.criterion}` : ""}e${event + 1}`);
  show();
  if (event === null || !scroll) return;
  const row = rowOf(event);
  if (row) {
    const file = row.closest("details");
    if (file) file.open = true;
    unfold(row.closest("tbody"));
    row.scrollIntoView({block: "nearest", behavior: smooth});
    drawArrows();
  }
  list.reveal(event);
}

function show() {
  for (const row of files.querySelectorAll("tr.sel, tr.origin")) row.classList.remove("sel", "origin");
  inspect();
  if (state.event !== null) rowOf(state.event)?.classList.add("sel");
  drawArrows();
  list.draw();
}

// --- the inspector -----------------------------------------------------------------------------
const inspector = $("inspector");

function link(event, text = name(event)) {
  return make("button", {class: "link", type: "button", onclick: () => select(event)}, text);
}

function inspect() {
  inspector.hidden = state.event === null || state.mode !== "read";
  if (inspector.hidden) return;
  const event = state.event, slice = current();
  const kept = slice.set.has(event);
  const number = events[event];
  inspector.replaceChildren(
    make("h3", {}, name(event)),
    make("pre", {}, statements[number][2].trim()),
    make("p", {}, slice.governing.has(event)
      ? "○ a condition, not kept: it decided that kept executions ran."
      : !kept ? "Left out: the behaviour is there without it."
      : slice.certified ? "● kept: without it, alone, the behaviour is lost."
      : slice.certifiedAt ? `● kept: no single ${slice.certifiedAt} can be left out; whether this execution can, alone, was not tried.`
      : "● kept so far: the search ended before each was left out alone."));
  const same = [];
  for (const other of slice.events) if (events[other] === number) same.push(other);
  if (same.length > 1) {
    const items = same.slice(0, 40).map(other => other === event
      ? make("b", {}, name(other)) : link(other));
    inspector.append(make("h4", {}, `${same.length} kept executions`),
      make("p", {}, ...items.flatMap(item => [item, " "]), same.length > 40 ? "…" : ""));
  }
  const needs = slice.needs_of.get(event) ?? [];
  const values = Object.entries(slice.values[event] ?? {});
  if (values.length) {
    const rows = values.map(([variable, text]) => {
      const from = needs.filter(need => need[2] === "data" && need.slice(3).includes(variable));
      const origin = from.length ? from[from.length - 1][1] : null;
      const item = make("li", {}, origin === null ? make("code", {}, `${variable} = ${text}`)
        : make("button", {class: "link", type: "button", title: "where it was set",
            onclick: () => select(origin)}, `${variable} = ${text}`));
      if (origin !== null) item.append(make("span", {class: "dim"}, `  from ${name(origin)}`));
      return item;
    });
    inspector.append(make("h4", {}, "Values, in the slice alone"), make("ul", {}, ...rows));
  }
  const why = {data: "uses", call: "called by", return: "uses what it returns or changes", control: "within"};
  const listed = (title, found, end, verb) => {
    if (!found.length) return;
    inspector.append(make("h4", {}, title), make("ul", {}, ...found.slice(0, 30).map(need =>
      make("li", {}, link(need[end]), make("span", {class: "dim"},
        ` ${verb(need)}${need.length > 3 ? ` ${need.slice(3).join(", ")}` : ""}`)))));
    if (found.length > 30) inspector.append(make("p", {}, `and ${found.length - 30} more`));
  };
  listed("Needs", needs, 1, need => why[need[2]]);
  listed("Needed by", slice.needed_by.get(event) ?? [], 0, need => need[2] === "data" ? "for" : need[2]);
  if (data.debug.length) {
    const command = `${data.debug[0]} ${event + 1} ${data.debug[1]}`;
    inspector.append(make("h4", {}, "Stand there, in the debugger"), make("p", {},
      make("code", {class: "debug"}, command), " ", make("button", {class: "link", type: "button",
        onclick: () => navigator.clipboard?.writeText(command)}, "copy")));
  }
  for (const need of needs) rowOf(need[1])?.classList.add("origin");
  inspector.append(make("p", {class: "dim"}, "j and k go from one kept execution to the next."));
}

// --- arrows between lines ----------------------------------------------------------------------
function drawArrows() {
  for (const old of files.querySelectorAll("svg.arrows")) old.remove();
  if (state.mode !== "read") return;
  const slice = current();
  const needs = state.allArrows ? slice.needs
    : state.event === null ? [] : slice.needs_of.get(state.event) ?? [];
  const drawn = new Set(), layers = new Map();
  for (const [event, on, kind] of needs) {
    const key = `${placeOf(event)} ${placeOf(on)}`;
    if (drawn.has(key) || drawn.size > 400) continue;
    drawn.add(key);
    const to = rowOf(event), from = rowOf(on);
    if (!to || !from || !to.offsetParent || !from.offsetParent) continue;
    const box = to.closest(".scroll");
    if (box !== from.closest(".scroll")) continue;
    let layer = layers.get(box);
    if (!layer) {
      layer = svg("svg", {class: "arrows", width: 56, height: box.scrollHeight, "aria-hidden": "true"});
      const id = `head${layers.size}`;
      const marker = svg("marker", {id, viewBox: "0 0 8 8", refX: 7, refY: 4, markerWidth: 6,
        markerHeight: 6, orient: "auto"});
      marker.append(svg("path", {d: "M0 0L8 4L0 8z"}));
      layer.append(marker);
      layer.dataset.head = id;
      layers.set(box, layer);
      box.append(layer);
    }
    const top = box.getBoundingClientRect().top - box.scrollTop;
    const middle = row => { const r = row.getBoundingClientRect(); return r.top - top + r.height / 2; };
    const y1 = middle(from), y2 = middle(to);
    const bulge = Math.min(48, 12 + Math.abs(y2 - y1) * 0.12);
    const d = from === to ? `M52 ${y1 - 4}C${52 - 22} ${y1 - 9} ${52 - 22} ${y1 + 9} 52 ${y1 + 4}`
      : `M52 ${y1}C${52 - bulge} ${y1} ${52 - bulge} ${y2} 52 ${y2}`;
    layer.append(svg("path", {d, class: kind, "marker-end": `url(#${layer.dataset.head})`}));
  }
}

// --- folds -------------------------------------------------------------------------------------
function unfold(body) {
  if (body?.dataset.folded) {
    delete body.dataset.folded;
    for (const row of body.rows) row.hidden = row.classList.contains("foldrow");
  }
}
for (const body of files.querySelectorAll("tbody.fold")) {
  if (body.rows.length < 2) continue;
  const count = body.rows.length;
  for (const row of body.rows) row.hidden = true;
  body.dataset.folded = "yes";
  const button = make("button", {type: "button", onclick: () => { unfold(body); drawArrows(); }},
    `⋮ ${count} more lines, nothing kept`);
  body.prepend(make("tr", {class: "foldrow"}, make("td", {colspan: 3 + slices.length}, button)));
}

// --- clicks on lines ---------------------------------------------------------------------------
const eventsAt = new Map();
events.forEach((statement, event) => {
  const place = `f${statements[statement][0]}l${statements[statement][1]}`;
  (eventsAt.get(place) ?? eventsAt.set(place, []).get(place)).push(event);
});
files.addEventListener("click", click => {
  const row = click.target.closest("tr[id]");
  if (!row || String(getSelection())) return;
  if (state.mode === "predict") { mark(row); return; }
  if (state.mode !== "read") return;
  const all = eventsAt.get(row.id);
  if (!all) return;
  const kept = all.filter(event => current().set.has(event));
  const choice = kept.length ? kept : all;
  const next = choice[(choice.indexOf(state.event) + 1) % choice.length];
  select(next, {scroll: false});
  list.reveal(next);
});

// --- all events, as a list that draws only what is seen -------------------------------------------
const list = (() => {
  const height = 22, most = 12_000_000 / height;
  const box = $("list");
  const viewport = make("div", {class: "viewport", tabindex: 0, role: "region", "aria-label": "Events"});
  const spacer = make("div", {class: "spacer"});
  viewport.append(spacer);
  let shown = null; // null: all events
  const length = () => shown ? shown.length : events.length;
  const at = index => shown ? shown[index] : index;
  const scale = () => Math.max(1, length() / most);
  const size = () => { spacer.style.height = `${Math.min(length(), most) * height}px`; };
  const draw = () => {
    if (box.hidden || folded.hidden === false) return;
    const first = Math.max(0, Math.floor(viewport.scrollTop / height * scale()) - 2);
    const last = Math.min(length(), first + Math.ceil(viewport.clientHeight / height) + 6);
    const rows = [];
    const slice = current();
    for (let index = first; index < last; index += 1) {
      const event = at(index);
      const values = slice.values[event];
      const kept = slice.set.has(event);
      const row = make("div", {class: `row${kept ? " kept" : ""}${event === state.event ? " sel" : ""}`},
        make("span", {class: "e"}, name(event)),
        make("span", {class: "c"}, statements[events[event]][2]),
        ...slices.map(each => make("span", {class: "m"}, each.set.has(event) ? "●" : each.governing.has(event) ? "○" : "")),
        make("span", {class: "vals"}, values
          ? Object.entries(values).map(([key, text]) => `${key} = ${text}`).join(", ") : ""));
      row.style.top = `${viewport.scrollTop + (index - viewport.scrollTop / height * scale()) * height}px`;
      if (scale() === 1) row.style.top = `${index * height}px`;
      row.addEventListener("click", () => select(event));
      rows.push(row);
    }
    spacer.replaceChildren(...rows);
  };
  const folded = $("folded");
  const set = (which, pressed) => {
    folded.hidden = which !== "folded";
    viewport.hidden = which === "folded";
    shown = which === "kept" ? current().events : null;
    for (const button of pressed.parentElement.querySelectorAll("button"))
      button.setAttribute("aria-pressed", String(button === pressed));
    size();
    draw();
  };
  const button = (text, which, on) => make("button",
    {type: "button", "aria-pressed": String(on), onclick: click => set(which, click.currentTarget)}, text);
  box.append(make("div", {class: "listhead", role: "group", "aria-label": "Rows of the trace"},
    button("Folded", "folded", true), button(`All ${events.length} events`, "all", false),
    button("Kept events", "kept", false)), viewport);
  box.hidden = false;
  viewport.hidden = true;
  viewport.addEventListener("scroll", draw);
  const reveal = event => {
    if (viewport.hidden) return;
    const index = shown ? shown.indexOf(event) : event;
    if (index < 0) return;
    const top = index / scale() * height;
    if (top < viewport.scrollTop || top > viewport.scrollTop + viewport.clientHeight - height)
      viewport.scrollTop = Math.max(0, top - viewport.clientHeight / 2);
    draw();
  };
  return {draw, reveal};
})();

// --- side by side ------------------------------------------------------------------------------
const panes = make("div", {class: "panes"});
source.append(panes);

function compare(on) {
  source.classList.toggle("comparing", on);
  panes.replaceChildren();
  if (!on) return;
  const chosen = [state.criterion, state.criterion === 0 ? 1 : 0];
  const sides = chosen.map((_, side) => make("div", {class: "pane"}));
  const fill = () => sides.forEach((pane, side) => {
    const own = chosen[side], other = chosen[1 - side];
    pane.dataset.c = own;
    const picker = make("select", {"aria-label": side ? "Right criterion" : "Left criterion",
      onchange: change => { chosen[side] = Number(change.target.value); fill(); }},
      ...slices.map((each, number) => {
        const option = make("option", {value: number}, each.name);
        option.selected = number === own;
        return option;
      }));
    const copies = [...files.children].filter(file => file.open).map(file => {
      const copy = file.cloneNode(true);
      for (const arrows of copy.querySelectorAll(".arrows")) arrows.remove();
      for (const region of copy.querySelectorAll(".scroll"))
        region.setAttribute("aria-label", `${region.getAttribute("aria-label")}, ${side ? "right" : "left"}`);
      for (const row of copy.querySelectorAll("tr")) {
        row.removeAttribute("id");
        row.classList.remove("sel", "origin");
        row.classList.toggle("only", row.classList.contains(`k${own}`) && !row.classList.contains(`k${other}`));
      }
      return copy;
    });
    const only = slices[own].events.filter(event => !slices[other].set.has(event)).length;
    pane.replaceChildren(make("h3", {}, picker, ` ${slices[own].events.length} events, ${only} of them (◆) not on the other side`), ...copies);
  });
  fill();
  panes.append(...sides);
}

// --- predict before reveal ------------------------------------------------------------------------
const score = make("p", {id: "score", role: "status"});
const lines = () => [...files.querySelectorAll("tr.x")];

function startPrediction() {
  source.classList.add("predicting");
  source.classList.remove("scored");
  document.body.classList.add("quiz");
  for (const row of lines()) {
    row.classList.remove("hit", "miss", "extra");
    row.setAttribute("role", "checkbox");
    row.setAttribute("aria-checked", "false");
    row.tabIndex = 0;
    unfold(row.closest("tbody"));
  }
  said();
  reveal.hidden = false;
}

function mark(row) {
  if (!row.classList.contains("x") || source.classList.contains("scored")) return;
  row.setAttribute("aria-checked", String(row.getAttribute("aria-checked") !== "true"));
  said();
}

function said() {
  const marked = lines().filter(row => row.getAttribute("aria-checked") === "true").length;
  score.textContent = `Mark the lines without which “${current().name}” would be lost: click, or space. ${marked} marked.`;
}

function endPrediction() {
  source.classList.remove("predicting", "scored");
  document.body.classList.remove("quiz");
  score.textContent = "";
  for (const row of lines()) {
    row.classList.remove("hit", "miss", "extra");
    row.removeAttribute("role");
    row.removeAttribute("aria-checked");
    row.removeAttribute("tabindex");
  }
  reveal.hidden = true;
}

function revealPrediction() {
  let hits = 0, misses = 0, extras = 0;
  for (const row of lines()) {
    const guess = row.getAttribute("aria-checked") === "true";
    const kept = row.classList.contains(`k${state.criterion}`);
    row.classList.toggle("hit", guess && kept);
    row.classList.toggle("miss", !guess && kept);
    row.classList.toggle("extra", guess && !kept);
    hits += guess && kept; misses += !guess && kept; extras += guess && !kept;
  }
  const points = hits ? Math.round(200 * hits / (2 * hits + misses + extras)) : 0;
  source.classList.remove("predicting");
  source.classList.add("scored");
  document.body.classList.remove("quiz");
  reveal.hidden = true;
  score.textContent = `${points} of 100 points. Found ✔ ${hits} of ${hits + misses} lines that matter, missed ○ ${misses}, and marked ✘ ${extras} that ${extras === 1 ? "does" : "do"} not.`;
}

// --- the toolbar -------------------------------------------------------------------------------
const tools = $("tools");
const reveal = make("button", {type: "button", onclick: revealPrediction}, "Reveal");
reveal.hidden = true;
const modes = {};

function setMode(mode) {
  if (mode === "compare" && slices.length < 2) return;
  state.mode = mode;
  compare(mode === "compare");
  if (mode === "predict") startPrediction(); else endPrediction();
  for (const [each, button] of Object.entries(modes))
    button.setAttribute("aria-pressed", String(each === mode));
  show();
}
const toggle = mode => setMode(state.mode === mode ? "read" : mode);
const arrows = make("button", {type: "button", "aria-pressed": "false", onclick: () => {
  state.allArrows = !state.allArrows;
  arrows.setAttribute("aria-pressed", String(state.allArrows));
  drawArrows();
}}, "All arrows");
if (slices.length > 1) {
  tools.append(make("div", {class: "group", id: "criteria", role: "group", "aria-label": "Criterion"},
    ...slices.map((each, number) => make("button", {type: "button", "data-n": number,
      "aria-pressed": String(number === 0), onclick: () => choose(number)}, each.name))));
  modes.compare = make("button", {type: "button", "aria-pressed": "false", onclick: () => toggle("compare")}, "Side by side");
}
modes.predict = make("button", {type: "button", "aria-pressed": "false", onclick: () => toggle("predict")}, "Predict");
const keys = make("dialog", {"aria-label": "Keys"}, make("dl", {},
  ...[["j, k", "next, previous kept execution"], ["c", "next criterion"], ["a", "all arrows"],
      ["s", "side by side"], ["p", "predict before you look"], ["Escape", "nothing chosen"]]
    .flatMap(([key, text]) => [make("dt", {}, make("kbd", {}, key)), make("dd", {}, text)])),
  make("form", {method: "dialog"}, make("button", {}, "Close")));
document.body.append(keys);
tools.append(make("div", {class: "group"}, arrows, ...Object.values(modes), reveal),
  make("button", {type: "button", class: "push", onclick: () => keys.showModal()}, "Keys: ?"), score);
tools.hidden = false;

// --- keys and links ----------------------------------------------------------------------------
function step(direction) {
  const kept = current().events;
  if (!kept.length) return;
  let index;
  if (state.event === null) index = direction > 0 ? 0 : kept.length - 1;
  else {
    index = kept.findIndex(event => event >= state.event);
    if (index < 0) index = kept.length;
    if (direction < 0) index -= 1;
    else if (kept[index] === state.event) index += 1;
  }
  select(kept[Math.max(0, Math.min(kept.length - 1, index))]);
}
document.addEventListener("keydown", press => {
  if (press.ctrlKey || press.metaKey || press.altKey || keys.open) return;
  if (state.mode === "predict" && press.key === " " && press.target.matches?.("tr.x")) {
    mark(press.target);
    press.preventDefault();
    return;
  }
  if (press.target.matches?.("input, select, textarea")) return;
  const action = {j: () => step(1), k: () => step(-1), c: () => choose((state.criterion + 1) % slices.length),
    a: () => arrows.click(), s: () => toggle("compare"), p: () => toggle("predict"),
    "?": () => keys.showModal(), Escape: () => select(null)}[press.key];
  if (action) { action(); press.preventDefault(); }
});
function follow() {
  const found = /^#(?:c(\d+))?e(\d+)$/.exec(location.hash);
  if (location.hash === "#predict") { setMode("predict"); return; }
  if (!found || Number(found[2]) < 1 || Number(found[2]) > events.length) return;
  const event = Number(found[2]) - 1;
  let criterion = Number(found[1] ?? state.criterion);
  if (!found[1] && !slices[criterion].set.has(event))
    criterion = Math.max(0, slices.findIndex(each => each.set.has(event)));
  if (criterion < slices.length) choose(criterion);
  select(event, {hash: false});
}
addEventListener("hashchange", follow);
addEventListener("resize", drawArrows);
for (const file of files.querySelectorAll("details")) file.addEventListener("toggle", drawArrows);
choose(0);
follow();
})();
