import { has, holds, same } from "./expect.ts";
import { type BrowserCheck, check } from "./checks.ts";

/** A work item's page, the deliveries, and the reasoning about one. */
export const itemChecks: readonly BrowserCheck[] = [
  check("item-story", "an item tells its story from delivery to decision to turn to outcome, newest first", async ({ page, open, item, story }) => {
    await open(item(story.done));
    await page.locator(".timeline li").first().waitFor();
    const kinds = await page.locator(".timeline li").evaluateAll((lines) => lines.map((line) => line.getAttribute("data-kind")));
    const order = ["delivery.decided", "turn.queued", "session.opened", "turn.done", "session.closed", "checkout.released"].map((kind) => kinds.lastIndexOf(kind));
    holds(order.every((at, index) => at >= 0 && (index === 0 || at < (order[index - 1] ?? 0))), `${order.join(", ")} of ${kinds.join(" ")}`);
    has((await page.locator(".timeline").textContent()) ?? "", "A start was asked for, so a session is spawned.");
    same(await page.locator("h1").textContent(), "Write down how to water the garden");
  }),
  check("item-facts", "an item shows its session, checkout, pull request and spend", async ({ page, open, item, story }) => {
    await open(item(story.paused));
    const text = async (part: string): Promise<string> => (await page.locator(part).textContent()) ?? "";
    await page.locator("#sessions dl").waitFor();
    has(await text("#sessions"), "headless");
    has(await text("#sessions"), "workspaces");
    has(await text("#pull-requests"), "practice/garden#");
    has(await text("#spend"), "1 turn");
    has(await text("#turns"), "done");
  }),
  check("item-buttons", "an item offers what can follow, and a refusal is told with its remedy", async ({ page, open, item, story }) => {
    await open(item(story.hostile));
    const buttons = page.locator(".item-head button");
    await buttons.first().waitFor();
    same(await buttons.allTextContents(), ["Start"]);
    await open(item(story.paused));
    await buttons.nth(2).waitFor();
    same(await buttons.allTextContents(), ["Resume", "Stop…", "Clean up…"]);
  }),
  check("item-answer", "a question is answered from the page", async ({ page, open, item, scene, story }) => {
    await open(item(story.asked));
    has((await page.locator("blockquote").textContent()) ?? "", "Red or green?");
    await page.getByLabel("Your answer").fill("Green.");
    await page.getByRole("button", { name: "Send" }).click();
    await page.locator('article[data-reason="asked"]').waitFor({ state: "detached" });
    await scene.until(`/turns?workItem=${encodeURIComponent(scene.refOf(story.asked))}`, (answer) => answer.split('"state":"done"').length > 2);
  }),
  check("item-transcript", "the conversation is read as text, and only when somebody asks for it", async ({ page, open, item, story }) => {
    const asked: string[] = [];
    page.on("request", (request) => asked.push(request.url()));
    await open(item(story.paused));
    await page.locator("#transcript summary").waitFor();
    holds(!asked.some((url) => url.includes("/transcript")), "nobody asked for it yet");
    await page.locator("#transcript summary").click();
    await page.locator(".transcript li.agent").first().waitFor();
  }),
  check("deliveries", "every delivery says what was decided, and leads to the whole reasoning", async ({ page, open }) => {
    await open("#/deliveries");
    await page.locator(".deliveries li").first().waitFor();
    const start = page.locator(".deliveries li", { hasText: "A start was asked for" }).first();
    await start.getByRole("link").first().click();
    await page.locator(".sentences li").nth(3).waitFor();
    has((await page.locator(".sentences").textContent()) ?? "", "Started by @ada: A start was asked for, so a session is spawned.");
    same(await page.title(), "Why · loop");
  }),
  check("unknown", "an item and a page that nobody knows say so", async ({ page, open }) => {
    await open("#/items/host%3Apractice%2Fgarden%23999");
    await page.locator(".trouble").waitFor();
    has((await page.locator(".trouble").textContent()) ?? "", "Nothing is known about host:practice/garden#999.");
    await open("#/nothing");
    await page.getByRole("heading", { name: "There is no such page" }).waitFor();
  }),
];
