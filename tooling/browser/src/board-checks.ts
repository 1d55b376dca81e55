import { has, holds, same, settles } from "./expect.ts";
import { type BrowserCheck, check } from "./checks.ts";
import { hostileTitle } from "./story.ts";

/** The first page. */
export const boardChecks: readonly BrowserCheck[] = [
  check(
    "board-needs-you",
    "what waits for a person comes first: a question, a failure, a deferred closing, and last a pause",
    async ({ page, open }) => {
      await open();
      await settles(async () => {
        same(await page.locator("main section").first().getAttribute("id"), "needs-you");
        const reasons = await page
          .locator("#needs-you article")
          .evaluateAll((cards) => cards.map((card) => card.getAttribute("data-reason")));
        same(new Set(reasons), new Set(["asked", "close-deferred", "failed", "paused"]));
        same(reasons.length, 4);
        same(reasons.at(-1), "paused");
      });
      for (const card of await page.locator("#needs-you article").all())
        holds(
          ((await card.locator(".remedy").textContent()) ?? "").length > 10,
          "each card says what to do",
        );
    },
  ),
  check(
    "board-unowned",
    "a start that nobody may have taken says whose it was, how that one stands, and what takes it; it is no wait of somebody's",
    async ({ page, open, story }) => {
      await open();
      const card = page.locator("#unowned article");
      await card.waitFor();
      same(await card.locator(".ref").allTextContents(), [`practice/garden#${story.unowned}`]);
      has(
        (await card.locator(".why").textContent()) ?? "",
        "is for instance shed, which nobody knows",
      );
      has((await card.locator(".remedy").textContent()) ?? "", "instance:default");
      same(
        await page
          .locator("#needs-you .ref", { hasText: `practice/garden#${story.unowned}` })
          .count(),
        0,
      );
    },
  ),
  check("board-parts", "each item stands where it belongs", async ({ page, open, story }) => {
    await open();
    await settles(async () => {
      same(await page.locator("#in-flight .ref").allTextContents(), [
        `practice/garden#${story.working}`,
      ]);
      same(await page.locator("#done .ref").allTextContents(), [`practice/garden#${story.done}`]);
      same(await page.locator("#not-started .ref").allTextContents(), [
        `practice/garden#${story.hostile}`,
      ]);
    });
  }),
  check(
    "board-strangers-text",
    "a stranger's title is a text: nothing of it becomes markup, and what is hidden in it is shown (A06)",
    async ({ page, open }) => {
      await open();
      const title = page.locator("#not-started .title");
      await title.waitFor();
      has((await title.textContent()) ?? "", hostileTitle.slice(0, 60));
      holds(
        !((await title.textContent()) ?? "").includes("\u202E"),
        "the character that turns the text round is shown, not obeyed",
      );
      same(await page.locator("main img, main script").count(), 0);
      same(await page.title(), "Board · loop");
    },
  ),
  check(
    "board-resume",
    "a button steers as a comment would, says what became of it, and the board follows by itself",
    async ({ page, open, scene, story }) => {
      await open();
      const card = page.locator('article[data-reason="paused"]');
      await card.getByRole("button", { name: /^Resume/ }).click();
      await card.waitFor({ state: "detached" });
      await page
        .locator("#listening .ref", { hasText: `practice/garden#${story.paused}` })
        .waitFor();
      await scene.ask(`/work-items/${encodeURIComponent(scene.refOf(story.paused))}/control`, {
        method: "POST",
        body: { verb: "pause" },
      });
      await card.waitFor();
    },
  ),
  check(
    "board-confirm",
    "what takes something away is asked for first; Escape leaves everything as it is",
    async ({ page, open, scene, story }) => {
      await open();
      const button = page
        .locator('article[data-reason="close-deferred"]')
        .getByRole("button", { name: /^Clean up/ });
      await button.click();
      await page.getByRole("dialog").waitFor();
      same(await page.locator("dialog button:focus").textContent(), "Leave it");
      await page.keyboard.press("Escape");
      await page.getByRole("dialog").waitFor({ state: "detached" });
      await button.click();
      await page.getByRole("button", { name: "Leave it" }).click();
      await page.getByRole("dialog").waitFor({ state: "detached" });
      has(
        JSON.stringify(
          await scene.ask(`/work-items/${encodeURIComponent(scene.refOf(story.deferred))}`),
        ),
        '"closeDeferred":true',
      );
    },
  ),
  check(
    "board-keyboard",
    "everything can be reached and done with the keyboard, and is seen to have the focus",
    async ({ page, open }) => {
      await open();
      await page.locator("#needs-you article").first().waitFor();
      const reached: string[] = [];
      for (let step = 0; step < 40; step++) {
        await page.keyboard.press("Tab");
        const focused = await page.evaluate(() => {
          const element = document.activeElement;
          if (!(element instanceof HTMLElement) || element === document.body) return null;
          return {
            name: element.getAttribute("aria-label") ?? element.textContent ?? "",
            seen: getComputedStyle(element).outlineStyle !== "none",
          };
        });
        if (focused === null) break;
        holds(focused.seen, `the focus is seen on ${focused.name}`);
        reached.push(focused.name);
      }
      same(reached[0], "To the content");
      for (const name of [
        "Deliveries",
        "Resume: Sharpen the spade before the ground freezes",
        "Clean up: Mend the gate",
      ])
        holds(reached.includes(name), `${name} is reached, of ${reached.join(" | ")}`);
    },
  ),
];
