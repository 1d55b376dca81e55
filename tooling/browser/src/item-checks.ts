import { has, holds, same, settles } from "./expect.ts";
import { type BrowserCheck, check } from "./checks.ts";

/** A work item's page, the deliveries, and the reasoning about one. */
export const itemChecks: readonly BrowserCheck[] = [
  check(
    "item-story",
    "an item tells its story from delivery to decision to turn to outcome, newest first",
    async ({ page, open, item, story }) => {
      await open(item(story.done));
      await settles(async () => {
        const kinds = await page
          .locator(".timeline li")
          .evaluateAll((lines) => lines.map((line) => line.getAttribute("data-kind")));
        const order = [
          "delivery.decided",
          "turn.queued",
          "session.opened",
          "turn.done",
          "session.closed",
          "checkout.released",
        ].map((kind) => kinds.lastIndexOf(kind));
        holds(
          order.every((at, index) => at >= 0 && (index === 0 || at < (order[index - 1] ?? 0))),
          `${order.join(", ")} of ${kinds.join(" ")}`,
        );
        has(
          (await page.locator(".timeline").textContent()) ?? "",
          "A start was requested; a session opens.",
        );
        same(await page.locator("h1").textContent(), "Write down how to water the garden");
      });
    },
  ),
  check(
    "item-facts",
    "an item shows its session, checkout, pull request and spend",
    async ({ page, open, item, story }) => {
      await open(item(story.paused));
      const text = async (part: string): Promise<string> =>
        (await page.locator(part).textContent()) ?? "";
      await settles(async () => {
        has(await text("#sessions"), "headless");
        has(await text("#sessions"), "workspaces");
        has(await text("#pull-requests"), "practice/garden#");
        has(await text("#spend"), "1 turn");
        has(await text("#turns"), "done");
      });
    },
  ),
  check(
    "item-buttons",
    "an item offers what can follow, and a refusal is told with its remedy",
    async ({ page, open, item, story }) => {
      await open(item(story.hostile));
      const buttons = page.locator(".item-head button");
      await settles(async () => same(await buttons.allTextContents(), ["Start"]));
      await open(item(story.paused));
      await settles(async () =>
        same(await buttons.allTextContents(), ["Resume", "Stop…", "Clean up…"]),
      );
    },
  ),
  check(
    "item-answer",
    "a question is answered from the page",
    async ({ page, open, item, scene, story }) => {
      await open(item(story.asked));
      has((await page.locator("blockquote").textContent()) ?? "", "Red or green?");
      await page.getByLabel("Your answer").fill("Green.");
      await page.getByRole("button", { name: "Send" }).click();
      await page.locator('article[data-reason="asked"]').waitFor({ state: "detached" });
      await scene.until(
        `/turns?workItem=${encodeURIComponent(scene.refOf(story.asked))}`,
        (answer) => answer.split('"state":"done"').length > 2,
      );
    },
  ),
  check(
    "item-transcript",
    "the conversation is read as text, and only when somebody asks for it",
    async ({ page, open, item, story }) => {
      const asked: string[] = [];
      page.on("request", (request) => asked.push(request.url()));
      await open(item(story.paused));
      await page.locator("#transcript summary").waitFor();
      holds(!asked.some((url) => url.includes("/transcript")), "nobody asked for it yet");
      await page.locator("#transcript summary").click();
      await page.locator(".transcript li.agent").first().waitFor();
    },
  ),
  check(
    "deliveries",
    "every delivery says what was decided, and leads to the whole reasoning",
    async ({ page, open }) => {
      await open("#/deliveries");
      await page.locator(".deliveries li").first().waitFor();
      const start = page.locator(".deliveries li", { hasText: "A start was requested" }).first();
      await start.getByRole("link").first().click();
      await page.locator(".sentences li").nth(3).waitFor();
      await settles(async () => {
        has(
          (await page.locator(".sentences").textContent()) ?? "",
          "Started by @ada: A start was requested; a session opens.",
        );
        same(await page.title(), "Why · loop");
      });
    },
  ),
  check(
    "item-people",
    "a login is let in and taken out again, with the keyboard alone; what is no login never leaves the page",
    async ({ page, open, item, scene, story }) => {
      await open(item(story.paused));
      const field = page.getByLabel("Let one login speak to its session");
      await field.fill("a team/of people");
      await field.press("Enter");
      holds(
        await field.evaluate((input) => input instanceof HTMLInputElement && !input.validity.valid),
        "the browser refuses it",
      );
      await field.fill("@grace");
      await field.press("Enter");
      const person = page.locator("#people li", { hasText: "@grace" });
      await person.waitFor();
      has(
        JSON.stringify(
          await scene.ask(`/work-items/${encodeURIComponent(scene.refOf(story.paused))}`),
        ),
        '"login":"grace"',
      );
      await person.getByRole("button", { name: "Revoke: @grace" }).focus();
      await page.keyboard.press("Enter");
      await page.getByRole("dialog").waitFor();
      await page.keyboard.press("Tab");
      await page.keyboard.press("Enter");
      await person.waitFor({ state: "detached" });
      has(
        JSON.stringify(
          await scene.ask(`/work-items/${encodeURIComponent(scene.refOf(story.paused))}`),
        ),
        '"collaborators":[]',
      );
    },
  ),
  check(
    "item-link-pr",
    "a pull request is recorded by its number, once; one that the host does not have is not",
    async ({ page, open, item, scene, story }) => {
      await scene.host.commit({
        branch: "shed",
        message: "Paint the shed",
        files: { "shed.txt": "red\n" },
        by: "ada",
      });
      const { number } = await scene.host.openPull({
        title: "Paint the shed",
        head: "shed",
        by: "ada",
      });
      await open(item(story.asked));
      const field = page.getByLabel("Another pull request");
      const record = async (typed: string): Promise<void> => {
        await field.fill(typed);
        await page.getByRole("button", { name: "Record" }).click();
      };
      await record("9999");
      await page.getByText("practice/garden#9999").first().waitFor();
      await record(String(number));
      await page.locator("#pull-requests li", { hasText: `practice/garden#${number}` }).waitFor();
      same(await page.locator("#pull-requests li", { hasText: "#9999" }).count(), 0);
      await record(String(number));
      await page.getByText(`practice/garden#${number} was on record already.`).waitFor();
    },
  ),
  check(
    "item-close",
    "a session is closed once somebody is sure, and the checkout stays",
    async ({ page, open, item, story }) => {
      await open(item(story.asked));
      const checkout = (await page.locator("#sessions code").last().textContent()) ?? "";
      await page
        .locator("#sessions")
        .getByRole("button", { name: /^Close session/ })
        .click();
      await page.getByRole("dialog").getByRole("button", { name: "Close session" }).click();
      await page.locator("#sessions .pill", { hasText: "closed" }).waitFor();
      await settles(async () => {
        has((await page.locator("#sessions").textContent()) ?? "", checkout);
        same(await page.locator("#sessions").getByRole("button").count(), 0);
      });
    },
  ),
  check(
    "events",
    "the event log is read a page at a time, kept to a kind, and leads to items and reasons",
    async ({ page, open, story }) => {
      await open("#/events");
      const lines = page.locator(".events li");
      await lines.first().waitFor();
      const newest = await lines.first().textContent();
      await page.getByRole("button", { name: "Older" }).click();
      await page.getByRole("button", { name: "Newer" }).waitFor();
      await settles(async () =>
        holds(
          ![newest, undefined].includes((await lines.allTextContents())[0]),
          "another page is shown",
        ),
      );
      await page.getByLabel("Kind").selectOption("turn.started");
      await page.getByRole("button", { name: "Newer" }).waitFor({ state: "detached" });
      await settles(async () => {
        same(
          new Set(
            await lines.evaluateAll((all) => all.map((each) => each.getAttribute("data-kind"))),
          ),
          new Set(["turn.started"]),
        );
        has((await page.locator(".events").textContent()) ?? "", "Turn 1 went to its session.");
      });
      await lines
        .last()
        .getByRole("link", { name: `practice/garden#${story.done}` })
        .click();
      await page.locator(".timeline li").first().waitFor();
    },
  ),
  check(
    "activity",
    "the plot draws what the service counts, and says it in numbers",
    async ({ page, open, scene }) => {
      await open("#/deliveries");
      await page.locator("#activity polygon.accepted").waitFor();
      await settles(async () => {
        const shown = await page.locator("#activity .legend strong").allTextContents();
        const { steps } = parseActivity(await scene.ask("/activity?hours=24"));
        same(
          shown.map(Number),
          [0, 1, 2].map((at) => steps.reduce((sum, step) => sum + (step[at] ?? 0), 0)),
        );
        holds(
          Number(shown[0]) > 10 && Number(shown[1]) > 10 && Number(shown[2]) === 1,
          `the story is in it: ${shown.join(", ")}`,
        );
        same(
          (await page.locator("#activity polyline.decided").getAttribute("points"))?.split(" ")
            .length,
          48,
        );
      });
      await page.getByLabel("Span").selectOption("168");
      await page.locator("#activity .axis", { hasText: "in 210 min" }).waitFor();
    },
  ),
  check(
    "close-deferred",
    "a closing that waits for somebody is not coloured as if all were well",
    async ({ page, open, item, story }) => {
      await open("#/deliveries");
      same(
        await page
          .locator(".deliveries .pill", { hasText: "close-deferred" })
          .getAttribute("class"),
        "pill warn",
      );
      await open(item(story.deferred));
      same(
        await page.locator(".item-head .pill", { hasText: "closing waits" }).getAttribute("class"),
        "pill warn",
      );
    },
  ),
  check("unknown", "an item and a page that nobody knows say so", async ({ page, open }) => {
    await open("#/items/host%3Apractice%2Fgarden%23999");
    await settles(async () =>
      has(
        (await page.locator(".trouble").textContent()) ?? "",
        "Nothing is on record for host:practice/garden#999.",
      ),
    );
    await open("#/nothing");
    await page.getByRole("heading", { name: "There is no such page" }).waitFor();
  }),
];

/** Counts of each step as numbers, in the order of the legend. */
function parseActivity(answer: unknown): { readonly steps: readonly (readonly number[])[] } {
  const all = [
    ...JSON.stringify(answer).matchAll(/"accepted":(\d+),"decided":(\d+),"failed":(\d+)/g),
  ];
  return {
    steps: all.map(([, accepted, decided, failed]) => [
      Number(accepted),
      Number(decided),
      Number(failed),
    ]),
  };
}
