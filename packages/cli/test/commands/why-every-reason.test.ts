import { defaultWords, reasons, remedyOf, sentenceOf } from "@loopwork/core";
import { formatRef, type HoldReason } from "@loopwork/core/ports";
import { issueRef, itemOf, laneOf } from "@loopwork/core/testing";
import { expect, test } from "vitest";
import { loadConfig } from "../../src/configuration/load-config.ts";
import { openStoreOf } from "../../src/start/open.ts";
import { createScene, type Scene } from "../support/scene.ts";

const words = {
  ...defaultWords,
  autoExecuteLabel: "robot",
  keywords: { ...defaultWords.keywords, start: "robot go", resume: "" },
};
const configuration = [
  "state: { root: state }",
  "routing:",
  "  autoExecuteLabel: robot",
  '  control: { keywords: { start: robot go, resume: "" } }',
  "",
].join("\n");

/** One decided delivery for each reason that there is. */
async function createDecisions(scene: Scene): Promise<void> {
  const store = await openStoreOf(loadConfig(scene.configFile, scene));
  for (const reason of reasons) {
    await store.append({
      id: `d-${reason}`,
      source: "webhook",
      event: "issues",
      verified: true,
      receivedAt: Date.now(),
      digest: reason,
      body: Buffer.from("{}"),
      ignored: null,
    });
    const [stored] = await store.log.undecided(1);
    await store.log.decide(stored?.seq ?? 0, null, () => ({
      event: null,
      state: null,
      decision: { verdict: { kind: "ignored" }, reason, effects: [] },
      after: null,
      key: null,
      lines: [],
      pin: null,
    }));
  }
  await store.close();
}

test("loop why explains every outcome: a sentence, the reason's code, and what to do next where something can be done, in the words of the configuration", async () => {
  const scene = createScene(configuration);
  await createDecisions(scene);
  for (const reason of reasons) {
    const why = await scene.loop("why", `d-${reason}`);
    const out = why.out.replaceAll(/\s+/g, " ");
    const remedy = remedyOf(reason, words);
    expect(why.code, reason).toBe(0);
    expect(out).toContain(sentenceOf(reason, words));
    expect(out).toContain(`Reason: ${reason}`);
    if (remedy === null) expect(out).not.toContain("What to do next");
    else expect(out).toContain(`Next: ${remedy}`);
    expect(out).not.toMatch(/undefined|null|\[object/);
  }
});

test("loop why of an item begins with how it stands, in plain words, as the configuration has them", async () => {
  const scene = createScene(configuration);
  const store = await openStoreOf(loadConfig(scene.configFile, scene));
  await store.items.update(formatRef(issueRef), () => ({
    after: itemOf("closed", { workItem: { title: "Cart \u202eforgets" } }),
    lines: [],
  }));
  await store.items.update(formatRef({ ...issueRef, number: 8 }), () => ({
    after: itemOf("idle", { workItem: { ref: formatRef({ ...issueRef, number: 8 }) } }),
    lines: [],
  }));
  await store.close();
  const why = async (number: number): Promise<string> =>
    (await scene.loop("why", `host:octo/shop#${number}`)).out;
  expect(await why(7)).toBe(
    'host:octo/shop#7 "Cart \\u202eforgets"\nIt was closed by @alice: its work has ended and nothing works on it.\n',
  );
  expect(await why(8)).toBe(
    'host:octo/shop#8 "Cart forgets its items"\nIt carries the label `robot` and nobody has started it: `robot go` begins.\n',
  );
  expect(await why(9)).toBe("host:octo/shop#9\nNothing is known about it yet.\n");
});

test.each<[HoldReason, string, string]>([
  [
    "paused",
    "somebody paused it (paused by alice)",
    "→ `loop sessions resume --work-item host:octo/shop#7`",
  ],
  [
    "uncertain",
    "nobody knows whether the last turn was carried out",
    "→ `loop turns list --state uncertain`",
  ],
  ["budget", "its budget is used up", "the same amount is granted again"],
  ["login", "the harness is not logged in", "`loop doctor` checks it"],
  [
    "backoff",
    "the last try failed, and there will be another one",
    "It continues automatically in 2 min.",
  ],
  ["ending", "its session is ending", "It continues automatically."],
])(
  "loop why says of a held item in words what it waits for, and what to do: %s",
  async (reason, waits, next) => {
    const scene = createScene(configuration);
    const store = await openStoreOf(loadConfig(scene.configFile, scene));
    const held = laneOf(issueRef, {
      reason,
      until: reason === "backoff" ? Date.now() + 120_500 : null,
      detail: reason === "paused" ? "paused by alice" : "",
    });
    await store.items.update(formatRef(issueRef), () => ({
      after: itemOf("started", { lanes: [held] }),
      lines: [],
    }));
    await store.close();
    const why = await scene.loop("why", "host:octo/shop#7");
    const out = why.out.replaceAll(/\s+/g, " ");
    expect(why.code).toBe(0);
    expect(out).toContain(`host:octo/shop#7 is on hold: ${waits}`);
    expect(out).toContain(next);
  },
);
