// Takes a picture of a page in headless Chromium, with an element of it at the top.
// usage: node look.mjs ADDRESS WIDTH HEIGHT SELECTOR PICTURE.png
import {createRequire} from "node:module";
const require = createRequire(`${process.env.STRIPE_NODE_MODULES}/`);
const {chromium} = require("playwright-core");

const [address, width, height, selector, picture] = process.argv.slice(2);
const browser = await chromium.launch({
  executablePath: process.env.STRIPE_CHROMIUM,
  headless: true,
  args: ["--no-sandbox", "--disable-gpu"],
});
try {
  const page = await browser.newPage({
    viewport: {width: Number(width), height: Number(height)},
    colorScheme: "light",
  });
  await page.goto(address);
  await page.locator(selector).evaluate(element => scrollTo(0, element.offsetTop - 12));
  await page.screenshot({path: picture, animations: "disabled"});
} finally {
  await browser.close();
}
