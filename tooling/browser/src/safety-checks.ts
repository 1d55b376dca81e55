import { has, holds, same, settles } from "./expect.ts";
import { type BrowserCheck, check } from "./checks.ts";

/** The token, the policy of the page, and what happens while the service is away. */
export const safetyChecks: readonly BrowserCheck[] = [
  check(
    "token-moved",
    "the token leaves the address bar and the history, and stays in this tab alone",
    async ({ page, context, open, scene }) => {
      await open();
      await page.locator("main section").first().waitFor();
      await settles(async () => {
        same(page.url(), `${scene.url}#/`);
        same(await page.evaluate(() => Object.values(sessionStorage).length), 1);
      });
      holds(
        !(await page.evaluate(() => JSON.stringify(Object.entries(localStorage)))).includes(
          scene.token,
        ),
        "nothing of it is kept for good",
      );
      same((await context.cookies()).length, 0);
      await page.reload();
      await page.locator("main section").first().waitFor();
      const other = await context.newPage();
      await other.goto(scene.url);
      await other.getByText("loop dashboard").waitFor();
    },
  ),
  check(
    "token-missing",
    "without the token, and with a wrong one, the page says which command to type and shows nothing else",
    async ({ page, scene }) => {
      await page.goto(scene.url);
      await page.getByRole("heading", { name: "This page needs the service's token" }).waitFor();
      await settles(async () => {
        same(await page.locator(".command").textContent(), "loop dashboard");
        same(await page.locator("nav, section").count(), 0);
      });
      await page.goto(`${scene.url}#token=${"0".repeat(64)}`);
      await page.getByRole("heading", { name: "This token is not the service's" }).waitFor();
      await page.goto(`${scene.url}#token=${scene.token}`);
      await page.locator("#needs-you article").first().waitFor();
    },
  ),
  check(
    "token-late",
    "a refusal of the token before, which comes late, takes nothing from the token since",
    async ({ page, scene }) => {
      const wrong = `Bearer ${"0".repeat(64)}`;
      const late: (() => void)[] = [];
      await page.route("**/api/**", async (route) => {
        const held =
          route.request().headers()["authorization"] === wrong &&
          !route.request().url().endsWith("/instance");
        if (held) await new Promise<void>((go) => late.push(go));
        await route.continue();
      });
      await page.goto(`${scene.url}#token=${"0".repeat(64)}`);
      await page.getByRole("heading", { name: "This token is not the service's" }).waitFor();
      await settles(async () => holds(late.length > 0, "a refusal is still on its way"));
      await page.goto(`${scene.url}#token=${scene.token}`);
      await page.locator("#needs-you article").first().waitFor();
      const refused = page.waitForResponse((response) => [401, 429].includes(response.status()));
      for (const go of late) go();
      await refused;
      await page.locator("nav").getByRole("link", { name: "Events" }).click();
      await page.locator(".events li").first().waitFor();
    },
  ),
  check(
    "own-requests",
    "nothing is asked of anybody but the service, and every answer was asked for with the token in the header",
    async ({ page, open, item, scene, story }) => {
      const requests: { readonly url: string; readonly authorization: string | undefined }[] = [];
      page.on("request", (request) =>
        requests.push({ url: request.url(), authorization: request.headers()["authorization"] }),
      );
      await open();
      await page.locator("main section").first().waitFor();
      await open(item(story.done));
      await page.locator(".timeline li").first().waitFor();
      holds(requests.length > 8, "requests were seen");
      same(
        requests.filter(({ url }) => !url.startsWith(scene.url)),
        [],
      );
      same(
        requests.filter(
          ({ url, authorization }) =>
            url.includes("/api/") && authorization !== `Bearer ${scene.token}`,
        ),
        [],
      );
      same(
        requests.filter(({ url }) => url.includes(scene.token) && !url.includes("#token=")),
        [],
      );
    },
  ),
  check(
    "policy",
    "a script and a style that get into the page all the same do nothing, and text cannot be made markup",
    async ({ page, open }) => {
      await open();
      await page.locator("main section").first().waitFor();
      const tried = await page.evaluate(() => {
        const told: string[] = [];
        try {
          document.body.innerHTML = "<b>markup</b>";
          told.push("markup");
        } catch {
          told.push("refused");
        }
        try {
          document.createElement("button").setAttribute("onclick", "document.title = 'owned'");
          told.push("a script");
        } catch {
          told.push("refused");
        }
        const link = document.createElement("a");
        link.href = "javascript:document.title = 'owned'";
        document.body.append(link);
        link.click();
        return told;
      });
      same(tried, ["refused", "refused"]);
      await page.waitForTimeout(200);
      same(await page.title(), "Board · loop");
      const outside = await page.evaluate(() =>
        fetch("https://example.invalid/", { mode: "no-cors" }).then(
          () => "went out",
          () => "stayed",
        ),
      );
      same(outside, "stayed");
    },
  ),
  check(
    "away",
    "while the service is away the page keeps what it showed and says so; it goes on by itself",
    async ({ page, open, scene }) => {
      await open();
      await page.locator("#needs-you article").first().waitFor();
      await scene.stopService();
      await settles(async () =>
        has((await page.locator(".trouble").textContent()) ?? "", "The service does not answer."),
      );
      holds((await page.locator("#needs-you article").count()) > 0, "what was shown stays");
      await scene.startService();
      await page.locator(".trouble").waitFor({ state: "detached" });
    },
  ),
];
