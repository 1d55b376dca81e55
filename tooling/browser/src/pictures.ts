import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Browser } from "playwright-core";
import { findChromium, launch } from "./browser.ts";
import { liveThroughADay } from "./past-day.ts";
import { playPictureStory } from "./picture-story.ts";
import { openScene, type Scene } from "./scene.ts";

/** `npm run --prefix tooling/browser pictures`: five pages of the real dashboard, light and dark, into docs/images/. */
const folder = fileURLToPath(new URL("../../../docs/images", import.meta.url));
const program = findChromium();
if (program === null)
  throw new Error("install Debian's `chromium`, or name another in LOOP_CHROMIUM");

const scene = await openScene({
  owner: "acme",
  repo: "billing",
  before: (stateRoot) => liveThroughADay(stateRoot, Date.now()),
});
try {
  const { asked, done } = await playPictureStory(scene);
  const item = (number: number): string => `#/items/${encodeURIComponent(scene.refOf(number))}`;
  const pages = [
    { name: "board", part: "#/", there: "#in-flight article", height: 1080 },
    { name: "item", part: item(asked), there: 'article[data-reason="asked"]', height: 960 },
    { name: "deliveries", part: "#/deliveries", there: "#activity svg", height: 700 },
    {
      name: "why",
      part: item(done),
      there: ".sentences li",
      press: '.timeline li[data-kind="turn.queued"] a',
      height: 380,
    },
    { name: "events", part: "#/events", there: ".events li", height: 620 },
  ];
  mkdirSync(folder, { recursive: true });
  const browser = await launch(program);
  for (const look of ["light", "dark"] as const)
    for (const shown of pages) await take(browser, scene, look, shown);
  await browser.close();
} finally {
  await scene.close();
}

async function take(
  browser: Browser,
  { url, token }: Scene,
  colorScheme: "light" | "dark",
  {
    name,
    part,
    there,
    press,
    height,
  }: {
    readonly name: string;
    readonly part: string;
    readonly there: string;
    readonly press?: string;
    readonly height: number;
  },
): Promise<void> {
  const page = await browser.newPage({
    viewport: { width: 1080, height },
    colorScheme,
    reducedMotion: "reduce",
  });
  await page.goto(`${url}#token=${token}`);
  await page.waitForURL(`${url}#/`);
  await page.goto(`${url}${part}`);
  if (press !== undefined) await page.locator(press).last().click();
  await page.locator(there).first().waitFor();
  await page.locator(".freshness.live").waitFor();
  await page.screenshot({ path: join(folder, `${name}-${colorScheme}.png`) });
  await page.close();
}
