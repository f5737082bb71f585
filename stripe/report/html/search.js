"use strict";
const make = (tag, attributes = {}, ...children) => {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (value !== null && value !== false) element.setAttribute(name, value);
  }
  element.append(...children);
  return element;
};

// --- the search, played ------------------------------------------------------------------------
for (const tests of document.querySelectorAll(".tests")) {
  const rows = [...tests.querySelectorAll("g.t[data-n]")];
  const bar = tests.querySelector(".play");
  if (!rows.length) continue;
  const said = make("output", {}, "");
  const slider = make("input", {type: "range", min: 1, max: rows.length, value: rows.length,
    "aria-label": "Test"});
  let timer = null;
  const go = number => {
    slider.value = number;
    rows.forEach((row, index) => {
      row.classList.toggle("later", index >= number);
      row.classList.toggle("now", index === number - 1 && number < rows.length);
    });
    const row = rows[number - 1];
    const outcome = ["fail", "pass", "unresolved", "predicted"].find(each => row.classList.contains(each));
    const word = {fail: "shows it", pass: "does not show it", unresolved: "cannot be told",
      predicted: "then one not run"}[outcome];
    said.textContent = `test ${row.dataset.n}: ${word}, ${row.dataset.k} of ${tests.dataset.of} ${tests.dataset.noun}s`;
    const box = tests.querySelector(".charts");
    const y = row.getBoundingClientRect().top - box.getBoundingClientRect().top;
    if (timer && (y < 0 || y > box.clientHeight - 20)) box.scrollTop += y - box.clientHeight / 2;
  };
  const stop = () => { clearInterval(timer); timer = null; play.textContent = "▶ Play"; };
  const play = make("button", {type: "button", onclick: () => {
    if (timer) { stop(); return; }
    let number = Number(slider.value) >= rows.length ? 0 : Number(slider.value);
    const step = Math.max(1, Math.round(rows.length / 300));
    play.textContent = "❚❚ Pause";
    timer = setInterval(() => {
      number = Math.min(rows.length, number + step);
      go(number);
      if (number >= rows.length) stop();
    }, Math.max(25, Math.min(220, 8000 / rows.length)));
  }}, "▶ Play");
  slider.addEventListener("input", () => { stop(); go(Number(slider.value)); });
  bar.append(play, slider, said);
  bar.hidden = false;
  go(rows.length);
}
