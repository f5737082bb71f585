// Takes a picture of a critical slice in VS Code, as code-server shows it in headless Chromium.
// usage: node editor.mjs ADDRESS FOLDER FILE LENS PICTURE.png
import {createRequire} from "node:module";
const require = createRequire(`${process.env.STRIPE_NODE_MODULES}/`);
const {chromium} = require("playwright-core");

const [address, folder, file, lens, picture] = process.argv.slice(2);
const open = [["openFile", `vscode-remote://${new URL(address).host}${folder}/${file}`]];
const browser = await chromium.launch({
  executablePath: process.env.STRIPE_CHROMIUM,
  headless: true,
  args: ["--no-sandbox", "--disable-gpu"],
});
try {
  const page = await browser.newPage({viewport: {width: 1000, height: 590}});
  page.setDefaultTimeout(120_000);
  const payload = encodeURIComponent(JSON.stringify(open));
  await page.goto(`${address}/?folder=${folder}&payload=${payload}`);
  await page.waitForSelector(".view-lines");
  await page.locator(".codelens-decoration a", {hasText: lens}).first().click();
  await page.locator(".codelens-decoration a", {hasText: "executions kept"}).first().waitFor();
  await page.keyboard.press("Control+KeyB");  // no side bar
  await page.locator(".view-line", {hasText: "-="}).hover({position: {x: 140, y: 8}});
  await page.locator(".monaco-hover-content", {hasText: "12_11"}).first().waitFor();
  await page.waitForTimeout(1000);  // what moves comes to rest
  await page.screenshot({path: picture, animations: "disabled"});
} finally {
  await browser.close();
}
