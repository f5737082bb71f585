// Opens pages in headless Chromium, does what readers would do, and prints what was seen.
// usage: node look.mjs [PICTURES], with lines {"page": "PAGE.html", "scenarios": ["...", ...]} as its input;
// the answer to each is a line, too: what was seen, or an "error".
import {readFileSync} from "node:fs";
import {createRequire} from "node:module";
import {createInterface} from "node:readline";
import {pathToFileURL} from "node:url";
const require = createRequire(`${process.env.STRIPE_NODE_MODULES}/`);
const {chromium} = require("playwright-core");
const axeSource = readFileSync(require.resolve("axe-core/axe.min.js"), "utf8");

const pictures = process.argv[2];
// What is looked at in the light and in the dark, while the reader does the same.
const BOTH = ["changes", "causes", "suspects"];

async function play(browser, address, scenario) {
  const seen = {console: [], requests: [], violations: [], facts: {}};
  const context = await browser.newContext({
    viewport: {width: 1400, height: 900},
    colorScheme: scenario === "dark" ? "dark" : "light",
    javaScriptEnabled: scenario !== "plain",
  });
  const page = await context.newPage();
  page.setDefaultTimeout(60_000);
  page.on("console", message => seen.console.push(`${message.type()}: ${message.text()}`));
  page.on("pageerror", error => seen.console.push(`error: ${error.message}`));
  page.on("request", request => { if (request.url().split("#")[0] !== address) seen.requests.push(request.url()); });
  const inBoth = async look => {
    await look("");
    if (!BOTH.includes(scenario)) return;
    await page.emulateMedia({colorScheme: "dark"});
    await look("-dark");
    await page.emulateMedia({colorScheme: "light"});
  };
  const picture = async name => {
    if (pictures) await inBoth(light => page.screenshot({path: `${pictures}/${scenario}${light}-${name}.png`}));
  };
  const text = selector => page.locator(selector).first().innerText();
  const codeTop = () => page.evaluate(() => document.querySelector("#files tr[id]").getBoundingClientRect().top + scrollY);
  const count = selector => page.locator(selector).count();
  const facts = seen.facts;
  // A script of our own may run beside the page's policy only in a world of its own.
  const axe = async () => {
    const session = await context.newCDPSession(page);
    const {frameTree} = await session.send("Page.getFrameTree");
    const {executionContextId} = await session.send("Page.createIsolatedWorld", {frameId: frameTree.frame.id});
    await session.send("Runtime.evaluate", {expression: axeSource, contextId: executionContextId});
    await inBoth(async () => seen.violations.push(...await violations(session, executionContextId)));
  };
  const violations = async (session, contextId) => {
    const {result} = await session.send("Runtime.evaluate", {
      expression: `axe.run(document, {runOnly: ["wcag2a", "wcag2aa", "wcag21aa", "best-practice"], preload: false})
        .then(found => JSON.stringify(found.violations.map(each => [each.id, each.impact, each.nodes.length, each.nodes[0].html.slice(0, 200), each.nodes[0].failureSummary])))`,
      contextId, awaitPromise: true, returnByValue: true});
    return JSON.parse(result.value);
  };
  const scenarios = {
    async plain() {
      await page.goto(address);
      facts.source = await text("#files");
      facts.trace = await text("#trace");
      facts.tests = await count("svg.chart g.t[data-n]");
      facts.hidden = await count("#tools:visible");
      facts.code = await codeTop();
      await picture("top");
      await page.evaluate(() => document.querySelector("#search").scrollIntoView());
      await picture("search");
    },
    async read() {
      await page.goto(address);
      facts.code = await codeTop();
      facts.answer = await page.evaluate(() => {
        const box = document.querySelector(".answer").getBoundingClientRect();
        return [document.querySelector(".answer").innerText, box.bottom];
      });
      await picture("top");
      await axe();
      facts.criteria = await count("#criteria button");
      await page.keyboard.press("j");
      facts.first = await text("#inspector h3");
      for (let n = 0; n < 3; n += 1) await page.keyboard.press("j");
      facts.fourth = await text("#inspector h3");
      facts.hash = await page.evaluate(() => location.hash);
      facts.inspector = await text("#inspector");
      facts.arrows = await count("svg.arrows > path");
      await page.keyboard.press("k");
      facts.third = await text("#inspector h3");
      await page.keyboard.press("j");
      await picture("selected");
      await axe();
      await page.locator("#inspector li button.link").first().click();
      facts.origin = await text("#inspector h3");
      await page.keyboard.press("a");
      facts.all_arrows = await count("svg.arrows > path");
      await picture("arrows");
      await page.keyboard.press("c");
      facts.second_criterion = await text('#criteria button[aria-pressed="true"]');
      await page.goto(`${address}#c1e30`);
      await page.reload();
      facts.linked = await text("#inspector h3");
      facts.linked_criterion = await text('#criteria button[aria-pressed="true"]');
    },
    async compare() {
      await page.goto(address);
      await page.keyboard.press("s");
      facts.panes = await count(".pane");
      facts.left = await text(".pane:nth-child(1) h3");
      facts.only = await page.locator(".pane:nth-child(1) tr.only code").allInnerTexts();
      facts.only_right = await page.locator(".pane:nth-child(2) tr.only code").allInnerTexts();
      await picture("panes");
      await axe();
      await page.keyboard.press("s");
      facts.closed = await count(".pane");
    },
    async predict() {
      await page.goto(`${address}#predict`);
      facts.bars = await count("#files td.h:visible");
      facts.traces = await count("#trace:visible");
      await page.locator("#f0l3").click();
      await page.locator("#f0l6").click();
      await page.locator("#f0l8").focus();
      await page.keyboard.press("Space");
      await picture("marked");
      await axe();
      await page.getByRole("button", {name: "Reveal"}).click();
      facts.score = await text("#score");
      facts.hits = await count("#files tr.hit");
      facts.misses = await count("#files tr.miss");
      facts.extras = await count("#files tr.extra");
      await picture("scored");
      await page.keyboard.press("p");
      facts.over = await count("#files td.h:visible");
      await page.keyboard.press("p");
      facts.again = await count("#files td.h:visible");
    },
    async search() {
      await page.goto(address);
      const slider = page.locator(".tests:not([hidden]) input[type=range]");
      await slider.fill("3");
      facts.said = await text(".tests:not([hidden]) output");
      facts.later = await count(".tests:not([hidden]) g.later");
      await slider.scrollIntoViewIfNeeded();
      await picture("slider");
      await axe();
      await slider.fill(String(Number(await slider.getAttribute("max")) - 10));
      await page.locator(".tests:not([hidden]) .play button").click();
      await page.waitForFunction(() => document.querySelectorAll(".tests:not([hidden]) g.later").length > 0);
      await page.waitForFunction(() => document.querySelectorAll(".tests:not([hidden]) g.later").length === 0);
      facts.played = await text(".tests:not([hidden]) output");
    },
    async dark() {
      await page.goto(`${address}#e26`);
      await picture("top");
      await axe();
      await page.evaluate(() => document.querySelector("#search").scrollIntoView());
      await picture("search");
      await page.setViewportSize({width: 390, height: 800});
      facts.overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      await page.evaluate(() => scrollTo(0, 0));
      await picture("narrow");
    },
    async changes() {
      await page.goto(address);
      await axe();
      await picture("top");
      facts.files = await page.locator(".file > summary").allInnerTexts();
      facts.added = await page.locator(".diff tr.plus code").allInnerTexts();
      facts.removed = await page.locator(".diff tr.minus code").allInnerTexts();
      facts.commits = await page.locator(".diff tr.plus .by").allInnerTexts();
      facts.story = await text("#story");
      facts.tests = await count("svg.chart g.t[data-n]");
      await page.locator(".play input").press("Home");
      facts.first = await text(".play output");
      await page.locator(".play input").press("End");
      await page.locator("#search").scrollIntoViewIfNeeded();
      await picture("search");
      await page.locator("#patch summary").click();
      facts.patch = await text("#patch pre");
      await page.setViewportSize({width: 380, height: 800});
      facts.overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      await page.evaluate(() => scrollTo(0, 0));
      await picture("narrow");
      await axe();
    },
    async causes() {
      await page.goto(address);
      await axe();
      await picture("top");
      facts.chain = await text("#chain ol");
      facts.table = await text("#table table");
      facts.lines = await page.locator(".around tr.now code").allInnerTexts();
      facts.transitions = await page.locator(".transition").allInnerTexts();
      facts.titles = await page.locator("svg.state > title").allTextContents();
      facts.marks = await page.locator("svg.state text.mark").allTextContents();
      facts.outside = await page.evaluate(() => [...document.querySelectorAll("svg.state")].flatMap(svg => {
        const whole = svg.getBoundingClientRect();
        return [...svg.querySelectorAll("text")].filter(each => each.getBoundingClientRect().right > whole.right + 1)
          .map(each => each.textContent);
      }));
      facts.over = await page.evaluate(() => [...document.querySelectorAll("svg.state .object")].flatMap(object => {
        const box = object.querySelector("rect.box").getBoundingClientRect();
        return [...object.querySelectorAll("text")].filter(each => each.getBoundingClientRect().right > box.right + 1)
          .map(each => each.textContent);
      }));
      await page.locator("#step2").scrollIntoViewIfNeeded();
      await page.evaluate(() => document.querySelector("#step2").scrollIntoView());
      await picture("steps");
      await page.setViewportSize({width: 380, height: 800});
      facts.overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      await page.evaluate(() => scrollTo(0, 0));
      await picture("narrow");
      await page.evaluate(() => document.querySelector("#step2").scrollIntoView());
      await picture("narrow-steps");
      await axe();
    },
    async suspects() {
      await page.goto(address);
      await axe();
      await picture("top");
      facts.places = await page.locator("#places h3").allInnerTexts();
      facts.evidence = await page.locator(".evidence").allInnerTexts();
      facts.added = await page.locator("#places .diff tr.plus code").allInnerTexts();
      facts.values = await page.locator(".facts code").allInnerTexts();
      facts.differs = await page.locator(".facts code.differs").allInnerTexts();
      facts.marked = await page.locator("#code tr.place > .c code").allInnerTexts();
      facts.bars = await page.locator("#code svg.strip > title").allTextContents();
      facts.shades = [];
      await inBoth(async () => facts.shades.push(await page.evaluate(() => [...document.querySelectorAll("#code tr[id] > .n")]
        .filter(each => getComputedStyle(each).backgroundColor !== "rgba(0, 0, 0, 0)").length)));
      facts.ranking = await page.locator("#ranking tbody tr").allInnerTexts();
      facts.outside = await page.evaluate(() => [...document.querySelectorAll("#code svg.strip rect")].filter(each => {
        const whole = each.ownerSVGElement.getBoundingClientRect(), box = each.getBoundingClientRect();
        return box.left < whole.left - 1 || box.right > whole.right + 1 || box.width <= 0 || box.height > whole.height;
      }).length);
      await page.locator("#places h3 a").first().click();
      facts.followed = await text("#code tr:target .c");
      await picture("code");
      await page.locator("#ranking").scrollIntoViewIfNeeded();
      await picture("ranking");
      await page.setViewportSize({width: 380, height: 800});
      facts.overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      await page.evaluate(() => scrollTo(0, 0));
      await picture("narrow");
      await page.evaluate(() => document.querySelector("#code").scrollIntoView());
      await picture("narrow-code");
      await page.evaluate(() => document.querySelector("#places").scrollIntoView());
      await picture("narrow-places");
      await axe();
    },
    async playground() {
      page.setDefaultTimeout(240_000);
      const idle = () => page.waitForFunction(() => /^(Ready|It cannot)/.test(document.querySelector("#status").textContent)
        && !document.body.hasAttribute("aria-busy"));
      await page.goto(address);
      await idle();
      facts.status = await text("#status");
      await axe();
      await page.click("#trace");
      await page.waitForSelector("#found iframe");
      facts.answer = await text("#answer");
      await page.frameLocator("#found iframe").locator("#files").waitFor();
      facts.source = await page.frameLocator("#found iframe").locator("#files").innerText();
      await picture("trace");
      await page.selectOption("#choice", {label: "1. Predict a slice"});
      await page.click("#predict");
      for (const line of [2, 5]) await page.locator(`[data-line="${line}"]`).check();
      await axe();
      await page.click("#reveal");
      await page.waitForSelector("#score");
      await idle();
      facts.score = await text("#score");
      facts.grade = await text("#grade");
      await page.selectOption("#choice", {label: "3. Delta debugging by hand"});
      await page.click("#play");
      await page.waitForSelector("#verdict");
      await idle();
      for (const event of [4, 6]) await page.locator(`[data-event="${event}"]`).uncheck();
      await page.click("#test");
      await page.waitForSelector(".tests tbody tr");
      await idle();
      facts.tested = await text("#verdict");
      await page.click("#certify");
      await page.waitForSelector("#grade:not([hidden])");
      await idle();
      facts.certified = await text("#grade");
      await picture("game");
      await axe();
      await page.setViewportSize({width: 390, height: 800});
      facts.overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      await picture("narrow");
    },
    async large() {
      const started = Date.now();
      await page.goto(address);
      await page.waitForSelector("#tools:not([hidden])");
      facts.milliseconds = Date.now() - started;
      await page.getByRole("button", {name: /^All \d+ events/}).click();
      facts.rows = await count("#list .row");
      await page.locator("#list .viewport").evaluate(box => { box.scrollTop = box.scrollHeight; });
      // Rows are drawn when the browser tells of the scrolling, which is with its next frame.
      await page.waitForFunction(() => {
        const row = document.querySelector("#list .row:last-child"), box = document.querySelector("#list .viewport");
        return row && row.getBoundingClientRect().bottom > box.getBoundingClientRect().top;
      });
      facts.last = await page.locator("#list .row .e").last().innerText();
      await page.locator("#list .row").last().click();
      facts.chosen = await text("#inspector h3");
      for (let n = 0; n < 20; n += 1) await page.keyboard.press("k");
      facts.back = await text("#inspector h3");
      facts.elements = await page.evaluate(() => document.getElementsByTagName("*").length);
      await page.locator("#list").scrollIntoViewIfNeeded();
      await picture("list");
      await axe();
    },
  };
  await scenarios[scenario]();
  await context.close();
  return seen;
}

// A profile of its own, which is removed in the end.
const browser = await chromium.launch({
  executablePath: process.env.STRIPE_CHROMIUM,
  headless: true,
  args: ["--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking",
         "--disable-component-update", "--disable-sync"],
});
try {
  for await (const line of createInterface({input: process.stdin})) {
    const {page, scenarios} = JSON.parse(line);
    const answer = {};
    try {
      for (const scenario of scenarios) answer[scenario] = await play(browser, pathToFileURL(page).href, scenario);
    } catch (error) {
      answer.error = String(error.stack);
    }
    process.stdout.write(`${JSON.stringify(answer)}\n`);
  }
} finally {
  await browser.close();
}
