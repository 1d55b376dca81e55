import type { Browser } from "playwright-core";
import { boardChecks } from "./board-checks.ts";
import { launch } from "./browser.ts";
import type { BrowserCheck } from "./checks.ts";
import { itemChecks } from "./item-checks.ts";
import { lookChecks } from "./look-checks.ts";
import { safetyChecks } from "./safety-checks.ts";
import { openScene, type Scene } from "./scene.ts";
import { playStory, type Story } from "./story.ts";

export type CheckResult = {
  readonly id: string;
  readonly title: string;
  readonly ms: number;
  readonly failure: string | null;
};

const changing = new Set(["item-answer", "item-link-pr", "item-close", "away"]);

/** All of them; those that change what is shown for good come last. */
export function browserChecks(pictures: string | null = null): readonly BrowserCheck[] {
  const all = [...lookChecks(pictures), ...boardChecks, ...itemChecks, ...safetyChecks];
  return all.toSorted((a, b) => Number(changing.has(a.id)) - Number(changing.has(b.id)));
}

/**
 * Runs the checks, each in a browser context of its own, on one service on which one story was
 * played. `program` is the browser.
 */
export async function runBrowserChecks(
  checks: readonly BrowserCheck[],
  program: string,
  each: (result: CheckResult) => void,
): Promise<void> {
  const scene = await openScene();
  const browser = await launch(program);
  try {
    const story = await playStory(scene);
    for (const one of checks) each(await runCheck(one, browser, scene, story));
  } finally {
    await browser.close();
    await scene.close();
  }
}

async function runCheck(
  { id, title, run }: BrowserCheck,
  browser: Browser,
  scene: Scene,
  story: Story,
): Promise<CheckResult> {
  const context = await browser.newContext({
    viewport: { width: 1200, height: 900 },
    serviceWorkers: "block",
  });
  context.setDefaultTimeout(20_000);
  const page = await context.newPage();
  const faults: string[] = [];
  page.on("pageerror", (error) => faults.push(error.message));
  const started = performance.now();
  const item = (number: number): string => `#/items/${encodeURIComponent(scene.refOf(number))}`;
  const open = async (part = "#/"): Promise<void> => {
    await page.goto(`${scene.url}#token=${scene.token}`);
    await page.waitForURL(`${scene.url}#/`);
    await page.goto(`${scene.url}${part}`);
  };
  const failure = await run({ scene, story, page, context, open, item }).then(
    () => (faults.length === 0 ? null : `the page met faults: ${faults.join("; ")}`),
    (error: unknown) => (error instanceof Error ? (error.stack ?? error.message) : String(error)),
  );
  await context.close();
  return { id, title, ms: Math.round(performance.now() - started), failure };
}
