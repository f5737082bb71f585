// Debugs backwards in VS Code, as code-server shows it in headless Chromium; prints as JSON what was seen.
// usage: node debug.mjs ADDRESS FOLDER [PICTURE.png]
import {createRequire} from "node:module";
const require = createRequire(`${process.env.STRIPE_NODE_MODULES}/`);
const {chromium} = require("playwright-core");

const [address, folder, picture] = process.argv.slice(2);
const PATIENCE = 300_000;
const browser = await chromium.launch({
  executablePath: process.env.STRIPE_CHROMIUM,
  headless: true,
  args: ["--no-sandbox", "--disable-gpu"],
});
const page = await browser.newPage({viewport: {width: 1100, height: 620}});
page.setDefaultTimeout(PATIENCE);

const text = async (selector) => (await page.locator(selector).allInnerTexts()).map((each) => each.replace(/\s+/g, " ").trim());
const press = (name) => page.locator(`.codicon-debug-${name}`).first().click();

/** Where the session stands, once it stands elsewhere than at `before`. */
async function stand(before) {
  await page.locator(".debug-toolbar").first().waitFor();
  if (!before) {
    await page.keyboard.press("Control+Shift+KeyD");
    const locals = page.locator(".debug-variables .monaco-list-row", {hasText: "Locals"}).first();
    await locals.waitFor();
    // VS Code opens them itself, if it comes to it before this click, which then shuts them: so once more.
    for (let round = 0; round < 60 && !(await page.locator(".debug-variables .expression").count()); round++) {
      if ((await locals.getAttribute("aria-expanded")) === "false") await locals.click();
      await page.waitForTimeout(2000);
    }
  }
  const top = page.locator(".debug-call-stack .monaco-list-row .stack-frame").first();
  await page.waitForFunction(
    ([before]) => {
      const shown = document.querySelector(".debug-call-stack .stack-frame")?.textContent;
      return shown && shown !== before && document.querySelector(".debug-variables .expression");
    },
    [before?.top],
  );
  await page.waitForTimeout(1500); // the tree of variables is drawn anew
  return {
    top: await top.evaluate((each) => each.textContent),
    calls: await text(".debug-call-stack .stack-frame"),
    variables: await text(".debug-variables .expression"),
    event: (await text(".debug-call-stack .state-message, .debug-pane .state-message")).join(),
  };
}

async function open(file) {
  await page.keyboard.press("Control+KeyP");
  const input = page.locator(".quick-input-widget input").first();
  await input.fill(file);
  await page.locator(".quick-input-list .monaco-list-row", {hasText: file}).first().waitFor();
  await page.keyboard.press("Enter");
  await page.locator(".tab.active", {hasText: file}).first().waitFor();
}

const seen = {};
try {
  await page.goto(`${address}/?folder=${folder}`, {waitUntil: "commit", timeout: PATIENCE});
  await page.locator(".explorer-folders-view").first().waitFor();

  await open("test_prices.py");
  const lens = page.locator(".codelens-decoration a", {hasText: "Debug backwards"});
  await lens.first().waitFor();
  seen.lenses = await text(".codelens-decoration a");
  await lens.last().click();
  seen.test = await stand();
  await press("step-back");
  seen.testBack = await stand(seen.test);
  await press("stop");
  await page.locator(".debug-toolbar").first().waitFor({state: "hidden"});

  await open("prog.py");
  await page.keyboard.press("F1");
  const input = page.locator(".quick-input-widget input").first();
  await input.fill(">STRIPE: Debug this file backwards");
  await page.locator(".quick-input-list .monaco-list-row", {hasText: "from its failure"}).first().click();
  seen.failure = await stand();
  await press("step-back");
  seen.back = await stand(seen.failure);
  if (picture) await page.screenshot({path: picture, animations: "disabled"});
  await press("reverse-continue");
  seen.start = await stand(seen.back);
  await press("stop");
  await page.locator(".debug-toolbar").first().waitFor({state: "hidden"});

  await open("test_prices.py");
  await page.locator(".codelens-decoration a", {hasText: "Why does this test fail?"}).last().click();
  await page.locator(".codelens-decoration a", {hasText: "Failed here"}).first().waitFor();
  seen.failing = await text(".codelens-decoration:has-text('Failed here') a");

  await page.keyboard.press("F1");
  await input.fill(">Testing: Focus on Test Explorer View");
  await page.locator(".quick-input-list .monaco-list-row", {hasText: "Focus on Test Explorer"}).first().click();
  const failed = page.locator(".test-explorer .monaco-list-row", {hasText: "test_prices"}).first();
  await failed.waitFor();
  seen.explorer = await failed.getAttribute("aria-label");
  await failed.click({button: "right"});
  await page.locator(".monaco-menu .action-label", {hasText: "Debug backwards from the failure"}).click();
  seen.fromExplorer = await stand();
  console.log(JSON.stringify(seen));
} catch (error) {
  if (process.env.STRIPE_PICTURES) await page.screenshot({path: `${process.env.STRIPE_PICTURES}/failed.png`});
  console.error(JSON.stringify(seen), error);
  process.exitCode = 1;
} finally {
  await browser.close();
}
