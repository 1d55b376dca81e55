import { afterEach, expect, test } from "vitest";
import { createPracticeHost, type PracticeHost } from "../src/index.ts";
import { listen } from "./listener.ts";

const open: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const stop of open.splice(0)) await stop();
});

async function hostWith(
  listener: { readonly url: string; readonly stop: () => Promise<void> },
  more: object = {},
): Promise<PracticeHost> {
  const host = await createPracticeHost({ webhookUrl: listener.url, secret: "s3cret", ...more });
  open.push(host.stop, listener.stop);
  return host;
}

test("webhooks arrive signed, each with its own id, in the order in which things happened", async () => {
  const listener = await listen("s3cret");
  const host = await hostWith(listener);
  const issue = host.openIssue({ title: "One", labels: ["a"] });
  host.comment(issue.number, "hello");
  host.closeIssue(issue.number);
  await host.idle();
  expect(listener.heard.map((one) => `${one.event}.${String(one.body["action"])}`)).toEqual([
    "issues.opened",
    "issues.labeled",
    "issue_comment.created",
    "issues.closed",
  ]);
  expect(listener.heard.every((one) => one.signed)).toBe(true);
  expect(new Set(listener.heard.map((one) => one.id)).size).toBe(4);
});

test("a failed delivery is remembered, not repeated, and goes out again under its id when asked", async () => {
  const listener = await listen("s3cret", (n) => (n === 1 ? 503 : 202));
  const host = await hostWith(listener);
  host.openIssue({ title: "One" });
  await host.idle();
  const [delivery] = host.deliveries();
  expect(delivery?.attempts.map((attempt) => attempt.status)).toEqual([503]);
  expect(await host.redeliver(delivery?.id ?? "")).toBe(202);
  expect(listener.heard.map((one) => one.id)).toEqual([delivery?.id, delivery?.id]);
});

test("disorder doubles and reorders, and the same seed does it in the same way", async () => {
  const runs = await Promise.all(
    [7, 7].map(async (seed) => {
      const listener = await listen("s3cret");
      const host = await hostWith(listener, {
        disorder: { seed, duplicates: 0.5, reordered: 0.3, delayMs: [0, 10] },
      });
      for (let n = 0; n < 12; n++) host.openIssue({ title: `Issue ${n}` });
      await host.idle();
      return {
        doubled: host.deliveries().map((delivery) => delivery.attempts.length),
        order: listener.heard.map((one) => Object(one.body["issue"])["number"]),
      };
    }),
  );
  expect(runs[0]?.doubled).toEqual(runs[1]?.doubled);
  expect(runs[0]?.doubled).toContain(2);
  expect(runs[0]?.order).not.toEqual(runs[0]?.order.toSorted((one, other) => one - other));
});

test("without a secret nothing is signed; without an address nothing is sent", async () => {
  const listener = await listen("");
  const host = await hostWith(listener, { secret: null });
  host.openIssue({ title: "One" });
  host.aim(null);
  host.openIssue({ title: "Two" });
  await host.idle();
  expect(listener.heard.map((one) => one.signed)).toEqual([false]);
});
