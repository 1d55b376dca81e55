import { expect, test } from "vitest";
import { readBudget, restUntil } from "../../src/budget.ts";
import { nextPage } from "../../src/pages.ts";
import { type PollReport, startPollLoop } from "../../src/poller.ts";

const nothing: PollReport = { repositories: [], restUntil: null };

test("polls again after the interval, goes on after a fault, and finishes what is under way at a stop", async () => {
  const faults: unknown[] = [];
  let [begun, ended] = [0, 0];
  const loop = startPollLoop({
    async poll() {
      begun += 1;
      await new Promise((resolve) => setTimeout(resolve, 20));
      ended += 1;
      if (begun === 1) throw new Error("a fault of ours");
      return nothing;
    },
    intervalMs: () => 5,
    now: () => 0,
    onReport: () => {},
    onFault: (error) => faults.push(error),
  });
  await expect.poll(() => begun).toBeGreaterThan(2);
  await loop.stop();
  expect(ended).toBe(begun);
  expect(faults).toHaveLength(1);
  const then = begun;
  await new Promise((resolve) => setTimeout(resolve, 40));
  expect(begun).toBe(then);
});

test("rests as long as the host asks for, and a stop does not wait for that", async () => {
  let polls = 0;
  const loop = startPollLoop({
    poll: async () => ((polls += 1), { ...nothing, restUntil: 60_000 }),
    intervalMs: () => 1,
    now: () => 0,
    onReport: () => {},
    onFault: () => {},
  });
  await expect.poll(() => polls).toBe(1);
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(polls).toBe(1);
  await loop.stop();
});

test("a tenth of the limit is left to others, until the reset", () => {
  const headers = {
    "x-ratelimit-limit": "5000",
    "x-ratelimit-remaining": "499",
    "x-ratelimit-reset": "100",
  };
  expect(restUntil(readBudget(headers, 99_000), 99_000)).toBe(100_000);
  expect(restUntil(readBudget(headers, 100_000), 100_000)).toBeNull();
  expect(
    restUntil(readBudget({ ...headers, "x-ratelimit-remaining": "500" }, 99_000), 99_000),
  ).toBeNull();
  expect(restUntil(readBudget({}, 0), 0)).toBeNull();
  expect(readBudget({ ...headers, "x-ratelimit-reset": "soon" }, 0)).toBeNull();
  // The host answered at its second 40 and resets at its 100: sixty seconds, whatever our clock
  // says.
  expect(readBudget({ ...headers, date: new Date(40_000).toUTCString() }, 7_000_000)?.resetAt).toBe(
    7_060_000,
  );
});

test("a page after this one is followed only below the interface's own address, so that the token stays there", () => {
  const base = "https://host.example/api/v3";
  const next = (link: string): string | null => nextPage("listing", link, base);
  const links = `<${base}/repos/a/b/pulls?page=2>; rel="next", <${base}/x?page=9>; rel="last"`;
  expect(next(links)).toBe("/repos/a/b/pulls?page=2");
  const elsewhere = (base: string) => () => next(`<${base}/x?page=2>; rel="next"`);
  expect(elsewhere("https://elsewhere.example/api/v3")).toThrow("https://elsewhere.example");
  expect(elsewhere(`${base}.elsewhere.example`)).toThrow("leads to another host");
  expect(next("")).toBeNull();
});
