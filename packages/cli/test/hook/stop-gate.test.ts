import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { defaultConfig, resolvePaths } from "@loopwork/core/config";
import type { GateAnswer, HookCall } from "@loopwork/core/ports";
import { reasonToGoOn } from "../../src/hook/stop-gate.ts";

const ref = "host:octo/shop#7";
const stop: HookCall = {
  event: "stop",
  sessionId: "s",
  tool: null,
  toolUseId: null,
  input: null,
  response: null,
  transcriptPath: null,
  cwd: "/checkout",
  again: false,
  resumed: null,
};
const incomplete: GateAnswer = {
  kind: "incomplete",
  missing: ["design.md has no text under Risks", "tasks.md is not there"],
};

type Asked = { readonly workItem: string; readonly workdir: string };

/** What the gate answers to a session, and what it was asked. */
function gated(
  answer: GateAnswer,
  {
    turnDir = null,
    env = { LOOP_WORK_ITEM: ref },
    graph = true,
  }: {
    readonly turnDir?: string | null;
    readonly env?: Readonly<Record<string, string>>;
    readonly graph?: boolean | null;
  } = {},
) {
  const asked: Asked[] = [];
  const ports = {
    io: {
      version: "0",
      cwd: "/elsewhere",
      home: "/home",
      env,
      color: false,
      width: 100,
      interactive: false,
      out: () => {},
      err: () => {},
      readStdin: () => Promise.resolve(""),
      ask: () => Promise.resolve(""),
    },
    clock: { now: () => 1 },
    ids: { uuid: () => `00000000-0000-4000-8000-${String(asked.length).padStart(12, "0")}` },
    turn: () => (turnDir === null ? null : { turnDir, workItem: ref }),
    looking: () =>
      Promise.resolve({
        config: defaultConfig,
        paths: resolvePaths(defaultConfig, { configDir: null, home: "/home/ada" }),
        env: {},
      }),
    recordStore: () => Promise.reject(new Error("nothing is on record")),
    mentionsGraph: () => Promise.resolve(graph),
    gate: () =>
      Promise.resolve({
        check: (request: Asked) => Promise.resolve((asked.push(request), answer)),
      }),
  };
  return {
    asked,
    stops: (over: Partial<HookCall> = {}) => reasonToGoOn({ ...stop, ...over }, ports),
  };
}

function turnFolder(): string {
  const dir = mkdtempSync(`${tmpdir()}/loop-gate-`);
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  return dir;
}

describe("the Stop gate", () => {
  test("keeps a session whose work is incomplete, with what is missing and how to ask", async () => {
    const { asked, stops } = gated(incomplete);
    const reason = await stops();
    for (const part of [
      `["design.md has no text under Risks","tasks.md is not there"]`,
      "loop check",
      "`loop ask`",
    ])
      expect(reason).toContain(part);
    expect(asked).toEqual([{ workItem: ref, workdir: "/checkout" }]);
  });

  test.each<GateAnswer>([
    { kind: "complete" },
    { kind: "unknown", why: "the store cannot be read" },
  ])("lets one go whose work is $kind", async (answer) => {
    expect(await gated(answer).stops()).toBeNull();
  });

  test.each([
    ["no graph", false],
    ["no configuration", null],
  ])("asks nothing where there is %s", async (_, graph) => {
    const { asked, stops } = gated(incomplete, { graph });
    expect(await stops()).toBeNull();
    expect(asked).toEqual([]);
  });

  test(
    "keeps a turn five times, a conversation of a person once, and tells the dispatcher no words that an agent could forge",
    { timeout: 30_000 },
    async () => {
      const turnDir = turnFolder();
      const turn = gated(incomplete, { turnDir });
      const reasons = [];
      for (let time = 0; time < 6; time++) reasons.push(await turn.stops({ again: time > 0 }));
      expect(reasons.map((reason) => reason !== null)).toEqual([
        true,
        true,
        true,
        true,
        true,
        false,
      ]);
      const requests = join(turnDir, "requests");
      expect(
        readdirSync(requests).map((name) => readFileSync(join(requests, name), "utf8")),
      ).toEqual(Array.from({ length: 5 }, () => '{"kind":"kept"}'));
      const person = gated(incomplete);
      expect([await person.stops(), await person.stops({ again: true })]).toEqual([
        expect.any(String),
        null,
      ]);
    },
  );

  test.each([
    ["the driver asks itself", { LOOP_WORK_ITEM: ref, LOOP_GATE: "driver" }, {}],
    ["the conversation is bound to no item", {}, {}],
    ["the harness broke off", { LOOP_WORK_ITEM: ref }, { event: "other" as const }],
  ])("asks nothing where %s", async (_, env, over) => {
    const { asked, stops } = gated(incomplete, { env });
    expect(await stops(over)).toBeNull();
    expect(asked).toEqual([]);
  });
});
