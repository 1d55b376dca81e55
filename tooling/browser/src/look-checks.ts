import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { holds, same } from "./expect.ts";
import type { Page } from "playwright-core";
import { type BrowserCheck, check, type Stage } from "./checks.ts";

const axe = readFileSync(fileURLToPath(import.meta.resolve("axe-core/axe.min.js")), "utf8");

/** Pages by name: the part behind `#`, what shows that it is there, and what to press first. */
const pages: readonly {
  readonly name: string;
  part(stage: Stage): string;
  readonly there: string;
  readonly press?: string;
}[] = [
  { name: "board", part: () => "#/", there: "#needs-you article" },
  { name: "item", part: ({ item, story }) => item(story.done), there: ".timeline li" },
  {
    name: "held",
    part: ({ item, story }) => item(story.failed),
    there: 'article[data-reason="failed"]',
  },
  { name: "events", part: () => "#/events", there: ".events li" },
  { name: "deliveries", part: () => "#/deliveries", there: "#activity svg" },
  {
    name: "why",
    part: ({ item, story }) => item(story.done),
    there: ".sentences li",
    press: '.timeline li[data-kind="turn.queued"] a',
  },
];

const looks = [
  { name: "light", colorScheme: "light", width: 1200 },
  { name: "dark", colorScheme: "dark", width: 1200 },
  { name: "phone", colorScheme: "light", width: 390 },
] as const;

/**
 * Each page in each look: readable for everybody, nothing beside the edge. `pictures` is the folder
 * for what was seen; null for none.
 */
export function lookChecks(pictures: string | null): readonly BrowserCheck[] {
  return pages
    .flatMap((shown) =>
      looks.map((look) =>
        check(
          `look-${shown.name}-${look.name}`,
          `the page "${shown.name}" (${look.name}) has no serious finding of axe and no edge that is cut off`,
          async (stage) => {
            const { page, open } = stage;
            await page.setViewportSize({ width: look.width, height: 900 });
            await page.emulateMedia({ colorScheme: look.colorScheme, reducedMotion: "reduce" });
            await open(shown.part(stage));
            if (shown.press !== undefined) await page.locator(shown.press).last().click();
            await page.locator(shown.there).first().waitFor();
            if (pictures !== null)
              await page.screenshot({
                path: join(pictures, `${shown.name}-${look.name}.png`),
                fullPage: true,
              });
            same(await seriousFindings(page), []);
            holds(
              await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth),
              "the page is no wider than the window",
            );
          },
        ),
      ),
    )
    .concat(
      check(
        "look-switch",
        "the switch overrules the system, and is remembered",
        async ({ page, open }) => {
          await page.emulateMedia({ colorScheme: "light" });
          await open();
          const ground = (): Promise<string> =>
            page.evaluate(() => getComputedStyle(document.body).backgroundColor);
          await page.locator("main section").first().waitFor();
          const light = await ground();
          await page.getByLabel("Colours").selectOption("dark");
          // The page draws the choice in its next frame.
          for (let looks = 0; looks < 100 && (await ground()) === light; looks += 1)
            await page.waitForTimeout(20);
          const dark = await ground();
          holds(light !== dark, `${light} became ${dark}`);
          await page.reload();
          await page.locator("main section").first().waitFor();
          same(await ground(), dark);
        },
      ),
    );
}

type Finding = { readonly id: string; readonly impact: string; readonly where: string };

/** Serious and critical ones. The page lets no script in: axe comes by the browser's own tools. */
async function seriousFindings(page: Page): Promise<readonly Finding[]> {
  await page.evaluate(axe);
  const found = await page.evaluate(async () => {
    const tool: unknown = Reflect.get(globalThis, "axe");
    if (typeof tool !== "object" || tool === null) throw new Error("axe is not there");
    const run: unknown = Reflect.get(tool, "run");
    if (typeof run !== "function") throw new Error("axe does not run");
    const {
      violations,
      passes,
    }: {
      readonly violations: readonly {
        readonly id: string;
        readonly impact: string | null;
        readonly nodes: readonly { readonly html: string; readonly failureSummary?: string }[];
      }[];
      readonly passes: readonly unknown[];
    } = await Reflect.apply(run, tool, [document]);
    return {
      passes: passes.length,
      findings: violations.map(({ id, impact, nodes }) => ({
        id,
        impact: impact ?? "",
        where: nodes
          .map(({ html, failureSummary }) => `${html} ${failureSummary ?? ""}`)
          .join(" | ")
          .slice(0, 600),
      })),
    };
  });
  holds(found.passes > 5, "axe looked at something");
  return found.findings.filter(({ impact }) => impact === "serious" || impact === "critical");
}
