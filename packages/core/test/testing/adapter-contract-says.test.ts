import { expect, test } from "vitest";
import type { HarnessSignal } from "../../src/ports/harness.ts";
import type { HookCall } from "../../src/ports/hooks.ts";
import { adapterRows } from "../../src/testing/adapter/index.ts";
import { type AdapterStage, limitResetsAt } from "../../src/testing/adapter/stage.ts";
import { modest } from "./modest-harness.ts";
import { openTinyStage } from "./tiny-harness.ts";
import { type Answers, watched } from "./watched-stage.ts";

/** Instead of the true answers, by what is asked and which time it is asked. */
type Wrong = { readonly [K in keyof Answers]?: (answer: Answers[K], nth: number) => Answers[K] };

function spoilt(stage: AdapterStage, wrong: Wrong): AdapterStage {
  const times = new Map<string, number>();
  return watched(stage, (what, _asked, answer) => {
    times.set(what, (times.get(what) ?? 0) + 1);
    const change = wrong[what];
    return change === undefined ? answer : change(answer, times.get(what) ?? 0);
  });
}

/** One answer is another. */
const on =
  <T>(time: number, instead: NoInfer<T>) =>
  (answer: T, nth: number): T =>
    nth === time ? instead : answer;
/** Every answer differs in something. */
const each =
  <T extends object>(change: NoInfer<Partial<T>>) =>
  (answer: T): T => ({ ...answer, ...change });

const lost = { kind: "session-not-found" } as const;
const denied = {
  kind: "done",
  denials: [{ tool: "Shell", input: "ls" }],
  usd: 1,
  minutes: 1,
} as const;
const absent = { kind: "absent", sessionExists: false } as const;
const unsure = { kind: "unknown", why: "?" } as const;
const signalled = { code: null, signal: "SIGHUP", stopped: null } as const;
const call =
  (change: Partial<HookCall>) =>
  (read: HookCall | null): HookCall | null =>
    read === null ? null : { ...read, ...change };
const resultOf =
  (receipt: string) =>
  (signal: HarnessSignal | null): HarnessSignal | null =>
    signal?.kind === "result" ? { kind: "result", receipts: [receipt] } : signal;

const withReceipts = (): AdapterStage => openTinyStage({ receipts: true });
const without = (): AdapterStage => openTinyStage({ receipts: false });
const little = (): AdapterStage => modest(without());

function boasting(): AdapterStage {
  const stage = little();
  return {
    ...stage,
    turns: {
      ...stage.turns,
      capabilities: { ...stage.turns.capabilities, stopGateInHeadless: true },
    },
  };
}

/**
 * Each check of each row, with an adapter that is wrong just there, and what the row says of it.
 */
const checks: readonly (readonly [
  row: string,
  says: string,
  wrong: Wrong,
  open?: () => AdapterStage,
])[] = [
  [
    "AD-conversation-01",
    'no conversation could be made: {"kind":"session-not-found"}',
    { id: on(1, { kind: "failed", outcome: lost }) },
  ],
  [
    "AD-conversation-01",
    'first turn: expected {"denials":[],"kind":"done"}, got {"kind":"session-not-found"}',
    { outcome: on(1, lost) },
  ],
  [
    "AD-conversation-01",
    'first turn: expected {"denials":[],"kind":"done"}, got {"denials":[{"input":"ls","tool":"Shell"}],"kind":"done","minutes":1,"usd":1}',
    { outcome: on(1, denied) },
  ],
  ["AD-conversation-01", "exit code: expected 0, got null", { exit: on(1, signalled) }],
  [
    "AD-conversation-01",
    'second turn: expected {"kind":"done"}, got {"kind":"session-not-found"}',
    { outcome: on(2, lost) },
  ],
  [
    "AD-conversation-01",
    'messages: expected ["hello","again"], got ["hello"]',
    { messages: on(1, ["hello"]) },
  ],
  ["AD-conversation-02", "different ids: expected 2, got 1", { id: each({ id: "c1" }) }],
  [
    "AD-conversation-03",
    'outcome: expected {"kind":"session-not-found"}, got {"denials":[{"input":"ls","tool":"Shell"}],"kind":"done","minutes":1,"usd":1}',
    { outcome: on(1, denied) },
  ],
  [
    "AD-conversation-04",
    'first turn: expected {"kind":"done"}, got {"kind":"session-not-found"}',
    { outcome: on(1, lost) },
  ],
  [
    "AD-conversation-04",
    'outcome: expected {"kind":"session-not-found"}, got {"denials":[{"input":"ls","tool":"Shell"}],"kind":"done","minutes":1,"usd":1}',
    { outcome: on(2, denied) },
  ],
  ["AD-conversation-04", 'messages: expected [], got ["again"]', { messages: on(1, ["again"]) }],
  [
    "AD-conversation-05",
    'outcome: expected {"denials":[],"kind":"done"}, got {"denials":[{"input":"ls","tool":"Shell"}],"kind":"done","minutes":1,"usd":1}',
    { outcome: on(2, denied) },
  ],
  [
    "AD-conversation-05",
    'outcome: expected {"denials":[],"kind":"done"}, got {"kind":"untrusted"}',
    { outcome: on(2, { kind: "untrusted" }) },
  ],
  ["AD-conversation-05", "messages: expected 2, got 1", { messages: on(1, ["hello"]) }],
  ["AD-conversation-05", "in the old folder: expected null, got ", { file: on(1, "") }],
  ["AD-conversation-05", 'messages: expected ["hello"], got []', { messages: on(1, []) }, little],
  [
    "AD-conversation-06",
    'outcome: expected {"kind":"session-id-taken"}, got {"denials":[{"input":"ls","tool":"Shell"}],"kind":"done","minutes":1,"usd":1}',
    { outcome: on(2, denied) },
  ],
  ["AD-conversation-06", 'messages: expected ["hello"], got []', { messages: on(1, []) }],
  [
    "AD-prompt-01",
    'outcome: expected {"kind":"done"}, got {"kind":"session-not-found"}',
    { outcome: on(1, lost) },
  ],
  [
    "AD-prompt-01",
    'messages: expected ["--resume\\n$(boom) `boom` \\u0007 ünïcödé"], got ["--resume"]',
    { messages: on(1, ["--resume"]) },
  ],
  [
    "AD-prompt-02",
    'outcome: expected {"kind":"done"}, got {"kind":"session-not-found"}',
    { outcome: on(1, lost) },
  ],
  ["AD-prompt-02", "whole: expected true, got false", { messages: on(1, ["x"]) }],
  [
    "AD-prompt-03",
    'start: arguments and environment: expected [], got ["the-secret-words"]',
    {
      plan: on(1, {
        argv: ["tiny", "the-secret-words"],
        env: {},
        stdin: "the-secret-words",
        closeInput: "after-write",
      }),
    },
  ],
  [
    "AD-prompt-03",
    'resume: arguments and environment: expected [], got ["the-secret-words"]',
    {
      plan: on(2, {
        argv: ["tiny"],
        env: { PROMPT: "the-secret-words" },
        stdin: "the-secret-words",
        closeInput: "after-write",
      }),
    },
  ],
  [
    "AD-prompt-03",
    "start: standard input: other words",
    { plan: on(1, { argv: ["tiny"], env: {}, stdin: "other words", closeInput: "after-write" }) },
  ],
  ["AD-prompt-04", 'messages: expected [], got ["hello"]', { messages: on(1, ["hello"]) }],
  [
    "AD-prompt-04",
    'the first turn that is written: expected {"kind":"done"}, got {"kind":"session-not-found"}',
    { outcome: on(2, lost) },
  ],
  ["AD-prompt-04", 'messages: expected ["hello"], got []', { messages: on(2, []) }],
  [
    "AD-environment-01",
    'outcome: expected {"denials":[],"kind":"done"}, got {"kind":"session-not-found"}',
    { outcome: on(1, lost) },
  ],
  [
    "AD-environment-01",
    'outcome: expected {"denials":[],"kind":"done"}, got {"denials":[{"input":"ls","tool":"Shell"}],"kind":"done","minutes":1,"usd":1}',
    { outcome: on(1, denied) },
  ],
  ["AD-environment-01", 'LOOP_INSTANCE: [""]', { file: on(1, null) }],
  [
    "AD-environment-01",
    'LOOP_WORK_ITEM: ["LOOP_INSTANCE=tiny"]',
    { file: on(1, "LOOP_INSTANCE=tiny") },
  ],
  [
    "AD-environment-01",
    'LOOP_SESSION: ["LOOP_INSTANCE=tiny","LOOP_WORK_ITEM=host:octo/demo#1"]',
    { file: on(1, "LOOP_INSTANCE=tiny\nLOOP_WORK_ITEM=host:octo/demo#1") },
  ],
  [
    "AD-environment-01",
    'PATH: ["LOOP_INSTANCE=tiny","LOOP_WORK_ITEM=host:octo/demo#1","LOOP_SESSION=c1","PATH=/bin:/state/bin","MORE=PATH=/state/bin"]',
    {
      file: on(
        1,
        "LOOP_INSTANCE=tiny\nLOOP_WORK_ITEM=host:octo/demo#1\nLOOP_SESSION=c1\nPATH=/bin:/state/bin\nMORE=PATH=/state/bin",
      ),
    },
  ],
  ["AD-trust-01", "looked at: expected good, got null", { check: on(1, null) }],
  [
    "AD-trust-01",
    "looked at: expected good, got failed",
    { check: on(1, { kind: "failed", file: "trust", why: "?" }) },
  ],
  [
    "AD-trust-01",
    "looked at: expected null, got good",
    { check: on(1, { kind: "good", file: "trust", why: "" }) },
    little,
  ],
  ["AD-trust-01", "first: expected written, got already", { prepare: on(1, { kind: "already" }) }],
  [
    "AD-trust-01",
    "first: expected already, got written",
    { prepare: on(1, { kind: "written", file: "trust", keys: [] }) },
    little,
  ],
  [
    "AD-trust-01",
    "second: expected already, got written",
    { prepare: on(2, { kind: "written", file: "trust", keys: [] }) },
  ],
  [
    "AD-trust-01",
    'turn: expected {"kind":"done"}, got {"kind":"untrusted"}',
    { outcome: on(1, { kind: "untrusted" }) },
  ],
  [
    "AD-trust-01",
    "after a turn: expected already, got written",
    { prepare: on(3, { kind: "written", file: "trust", keys: [] }) },
  ],
  ["AD-trust-02", "answer: expected failed, got already", { prepare: on(1, { kind: "already" }) }],
  [
    "AD-trust-02",
    "answer: expected already, got failed",
    { prepare: on(1, { kind: "failed", file: "trust", why: "?" }) },
    little,
  ],
  ["AD-trust-02", "looked at: expected failed, got null", { check: on(1, null) }],
  [
    "AD-trust-02",
    "looked at: expected null, got good",
    { check: on(1, { kind: "good", file: "trust", why: "" }) },
    little,
  ],
  ["AD-trust-02", 'file: expected {"half": , got {}', { trust: on(1, "{}") }],
  ["AD-end-01", "outcome: expected transient, got session-not-found", { outcome: on(1, lost) }],
  [
    "AD-end-01",
    "outcome: expected unclear, got transient",
    { outcome: on(1, { kind: "transient", status: null, detail: "" }) },
    little,
  ],
  [
    "AD-end-11",
    "until: expected 1900000000000, got null",
    { outcome: on(1, { kind: "usage-limit", until: null, limit: null }) },
  ],
  [
    "AD-end-12",
    'outcome: expected {"kind":"done"}, got {"kind":"session-not-found"}',
    { outcome: on(3, lost) },
  ],
  [
    "AD-end-13",
    'outcome: expected {"asked":false,"kind":"killed","signal":"SIGTERM"}, got {"asked":true,"kind":"killed","signal":"SIGTERM"}',
    { outcome: on(2, { kind: "killed", signal: "SIGTERM", asked: true }) },
  ],
  [
    "AD-end-13",
    'next turn: expected {"kind":"done"}, got {"kind":"session-not-found"}',
    { outcome: on(3, lost) },
  ],
  [
    "AD-end-14",
    'outcome: expected done, got {"kind":"session-not-found"}',
    { outcome: on(1, lost) },
  ],
  ["AD-end-14", 'denials: expected ["curl --version"], got ["ls"]', { outcome: on(1, denied) }],
  ["AD-end-14", 'denials: expected [], got ["ls"]', { outcome: on(1, denied) }, little],
  [
    "AD-end-15",
    'first turn: expected done, got {"kind":"session-not-found"}',
    { outcome: on(1, lost) },
  ],
  [
    "AD-end-15",
    'second turn: expected done, got {"kind":"session-not-found"}',
    { outcome: on(2, lost) },
  ],
  [
    "AD-end-15",
    'cost something: {"denials":[],"kind":"done","minutes":1,"usd":0}',
    { outcome: each({ usd: 0 }) },
  ],
  [
    "AD-end-15",
    'not a running total: {"denials":[{"input":"ls","tool":"Shell"}],"kind":"done","minutes":1,"usd":1.5}',
    { outcome: on(2, { ...denied, usd: 1.5 }) },
  ],
  [
    "AD-end-15",
    "spend: expected [0,0], got [0,1]",
    { outcome: on(2, { ...denied, usd: 1 }) },
    little,
  ],
  ["AD-end-16", "outcome of []: expected unclear, got done", { outcome: on(1, denied) }],
  [
    "AD-end-16",
    'outcome of ["{\\"result\\":\\"success\\"}","null"]: expected unclear, got done',
    { outcome: on(4, denied) },
  ],
  [
    "AD-end-17",
    'deadline: expected {"kind":"timeout"}, got {"kind":"session-not-found"}',
    { outcome: on(1, lost) },
  ],
  [
    "AD-end-17",
    'output: expected {"kind":"output-limit"}, got {"kind":"session-not-found"}',
    { outcome: on(2, lost) },
  ],
  [
    "AD-end-17",
    'asked: expected {"asked":true,"kind":"killed","signal":"SIGKILL"}, got {"asked":false,"kind":"killed","signal":"SIGKILL"}',
    { outcome: on(3, { kind: "killed", signal: "SIGKILL", asked: false }) },
  ],
  [
    "AD-end-18",
    'a result: ["some words","{\\"line\\":\\"accepted\\",\\"receipt\\":\\"id-2\\"}","{\\"line\\":\\"session\\",\\"receipt\\":\\"id-2\\"}","{\\"line\\":\\"result\\",\\"receipt\\":\\"id-2\\",\\"denied\\":[]}"]',
    { signal: () => null },
  ],
  ["AD-end-18", 'its receipts: expected ["id-2"], got ["other"]', { signal: resultOf("other") }],
  ["AD-end-18", 'its receipts: expected [], got ["other"]', { signal: resultOf("other") }, without],
  [
    "AD-end-18",
    'words of others: expected [null,null,null,null,null], got [{"kind":"spend","usd":1},{"kind":"spend","usd":1},{"kind":"spend","usd":1},{"kind":"spend","usd":1},{"kind":"spend","usd":1}]',
    { signal: (signal) => signal ?? { kind: "spend", usd: 1 } },
  ],
  [
    "AD-probe-01",
    'probe: expected {"found":true}, got {"command":"tiny","found":false,"hint":null,"login":"yes","tested":true,"version":"1"}',
    { probe: each({ found: false }) },
  ],
  [
    "AD-probe-01",
    'version: {"command":"tiny","found":true,"hint":null,"login":"yes","tested":true,"version":null}',
    { probe: each({ version: null }) },
  ],
  [
    "AD-probe-01",
    'version: {"command":"tiny","found":true,"hint":null,"login":"yes","tested":true,"version":""}',
    { probe: each({ version: "" }) },
  ],
  [
    "AD-probe-01",
    'a version that was not compared says so: {"command":"tiny","found":true,"hint":null,"login":"yes","tested":false,"version":"1"}',
    { probe: each({ tested: false }) },
  ],
  [
    "AD-receipt-01",
    'hello: expected {"kind":"swallowed"}, got {"denials":[{"input":"ls","tool":"Shell"}],"kind":"done","minutes":1,"usd":1}',
    { outcome: on(2, denied) },
  ],
  [
    "AD-receipt-01",
    'something else: expected {"kind":"swallowed"}, got {"denials":[{"input":"ls","tool":"Shell"}],"kind":"done","minutes":1,"usd":1}',
    { outcome: on(3, denied) },
  ],
  [
    "AD-receipt-01",
    'messages: expected ["hello"], got ["hello","hello"]',
    { messages: on(1, ["hello", "hello"]) },
  ],
  [
    "AD-receipt-02",
    'outcome: expected {"kind":"swallowed"}, got {"denials":[{"input":"ls","tool":"Shell"}],"kind":"done","minutes":1,"usd":1}',
    { outcome: on(2, denied) },
  ],
  [
    "AD-receipt-03",
    'outcome: expected {"kind":"swallowed"}, got {"denials":[{"input":"ls","tool":"Shell"}],"kind":"done","minutes":1,"usd":1}',
    { outcome: on(2, denied) },
  ],
  [
    "AD-receipt-04",
    'again: expected {"kind":"done"}, got {"kind":"session-not-found"}',
    { outcome: on(2, lost) },
  ],
  ["AD-receipt-04", "messages: expected 1, got 2", { messages: on(1, ["hello", "hello"]) }],
  [
    "AD-receipt-04",
    'a later turn: expected {"kind":"done"}, got {"kind":"session-not-found"}',
    { outcome: on(3, lost) },
  ],
  [
    "AD-receipt-05",
    'outcome: expected {"kind":"done"}, got {"kind":"swallowed"}',
    { outcome: on(2, { kind: "swallowed" }) },
  ],
  [
    "AD-crash-01",
    'evidence: expected {"kind":"absent","sessionExists":false}, got {"kind":"unknown","why":"?"}',
    { evidence: on(1, unsure) },
  ],
  [
    "AD-crash-01",
    'again: expected {"kind":"done"}, got {"kind":"session-not-found"}',
    { outcome: on(2, lost) },
  ],
  [
    "AD-crash-01",
    'messages: expected ["hello"], got ["hello","hello"]',
    { messages: on(1, ["hello", "hello"]) },
  ],
  ["AD-crash-02", 'evidence: {"kind":"unknown","why":"?"}', { evidence: on(1, unsure) }],
  [
    "AD-crash-02",
    'again: expected {"kind":"done"}, got {"kind":"session-id-taken"}',
    { evidence: on(1, absent) },
  ],
  [
    "AD-crash-02",
    'again: expected {"kind":"done"}, got {"kind":"session-not-found"}',
    { evidence: on(1, { kind: "absent", sessionExists: true }), outcome: on(2, lost) },
  ],
  ["AD-crash-02", "messages: expected 1, got 2", { messages: on(1, ["hello", "hello"]) }],
  ["AD-crash-03", "messages: expected 1, got 0", { messages: on(1, []) }],
  [
    "AD-crash-03",
    'evidence: expected {"kind":"asked-only"}, got {"kind":"interrupted"}',
    { evidence: on(1, { kind: "interrupted" }) },
  ],
  [
    "AD-crash-04",
    'evidence: expected {"kind":"interrupted"}, got {"kind":"asked-only"}',
    { evidence: on(1, { kind: "asked-only" }) },
  ],
  [
    "AD-crash-04",
    'evidence without the output: expected {"kind":"interrupted"}, got {"kind":"asked-only"}',
    { evidence: on(2, { kind: "asked-only" }) },
  ],
  [
    "AD-crash-04",
    'continued: expected {"kind":"done"}, got {"kind":"session-not-found"}',
    { outcome: on(2, lost) },
  ],
  [
    "AD-crash-05",
    'evidence: expected {"kind":"done"}, got {"kind":"interrupted"}',
    { evidence: on(1, { kind: "interrupted" }) },
  ],
  [
    "AD-crash-06",
    'evidence: expected api-error, got {"kind":"unknown","why":"?"}',
    { evidence: on(1, unsure) },
  ],
  [
    "AD-crash-06",
    'outcome: expected {"kind":"transient"}, got {"detail":"","kind":"billing"}',
    { evidence: on(1, { kind: "api-error", outcome: { kind: "billing", detail: "" } }) },
  ],
  [
    "AD-crash-07",
    'evidence: expected api-error, got {"kind":"unknown","why":"?"}',
    { evidence: on(1, unsure) },
  ],
  [
    "AD-crash-07",
    'outcome: expected {"kind":"usage-limit","until":1900000000000}, got {"kind":"usage-limit","limit":null,"until":1900000000001}',
    {
      evidence: on(1, {
        kind: "api-error",
        outcome: { kind: "usage-limit", until: limitResetsAt + 1, limit: null },
      }),
    },
  ],
  [
    "AD-crash-08",
    'evidence: expected {"kind":"asked-only"}, got {"kind":"absent","sessionExists":false}',
    { evidence: on(1, absent) },
  ],
  [
    "AD-crash-09",
    'evidence: expected {"kind":"absent","sessionExists":false}, got {"kind":"absent","sessionExists":true}',
    { evidence: on(1, { kind: "absent", sessionExists: true }) },
  ],
  [
    "AD-crash-10",
    'done: expected {"kind":"done"}, got {"kind":"unknown","why":"?"}',
    { evidence: on(1, unsure) },
    without,
  ],
  [
    "AD-crash-10",
    "done, output lost: expected unknown, got absent",
    { evidence: on(2, absent) },
    without,
  ],
  ["AD-crash-10", "killed: expected unknown, got absent", { evidence: on(3, absent) }, without],
  ["AD-hook-01", "stop gate in headless turns: expected false, got true", {}, boasting],
  ["AD-hook-01", "nothing was read from tool:echo hi", { call: on(1, null) }],
  [
    "AD-hook-01",
    'input: expected {"command":"echo hi"}, got {"command":"ls"}',
    { handed: on(1, { stdin: "tool:ls", env: {} }) },
  ],
  ["AD-hook-01", "event: expected pre-tool, got stop", { call: call({ event: "stop" }) }],
  [
    "AD-hook-01",
    'session: {"again":false,"cwd":null,"event":"pre-tool","input":{"command":"echo hi"},"response":null,"resumed":null,"sessionId":null,"tool":"Shell","toolUseId":null,"transcriptPath":null}',
    { call: call({ sessionId: null }) },
  ],
  [
    "AD-hook-01",
    'session: {"again":false,"cwd":null,"event":"pre-tool","input":{"command":"echo hi"},"response":null,"resumed":null,"sessionId":"","tool":"Shell","toolUseId":null,"transcriptPath":null}',
    { call: call({ sessionId: "" }) },
  ],
  [
    "AD-hook-01",
    'tool: {"again":false,"cwd":null,"event":"pre-tool","input":{"command":"echo hi"},"response":null,"resumed":null,"sessionId":"s","tool":null,"toolUseId":null,"transcriptPath":null}',
    { call: call({ tool: null }) },
  ],
  [
    "AD-hook-01",
    'tool: {"again":false,"cwd":null,"event":"pre-tool","input":{"command":"echo hi"},"response":null,"resumed":null,"sessionId":"s","tool":"","toolUseId":null,"transcriptPath":null}',
    { call: call({ tool: "" }) },
  ],
  [
    "AD-hook-03",
    'nothing: expected {"code":0,"stderr":"","stdout":""}, got {"code":0,"stderr":"","stdout":"{}"}',
    { reply: on(1, { stdout: "{}", stderr: "", code: 0 }) },
  ],
  [
    "AD-hook-03",
    'pre-tool: reason: {"stderr":"no","stdout":""}',
    { reply: on(2, { stdout: "", stderr: "no", code: 2 }) },
  ],
  [
    "AD-hook-03",
    'stop: reason: {"stderr":"","stdout":"no"}',
    { reply: on(3, { stdout: "no", stderr: "", code: 2 }) },
  ],
  [
    "AD-hook-03",
    'context: expected {"code":0}, got {"code":1,"stderr":"","stdout":"look-here"}',
    { reply: on(4, { stdout: "look-here", stderr: "", code: 1 }) },
  ],
  [
    "AD-hook-03",
    'context: text: {"code":0,"stderr":"look-here","stdout":"no"}',
    { reply: on(4, { stdout: "no", stderr: "look-here", code: 0 }) },
  ],
];

test("a row asks no more of what was interrupted: nothing runs a second time", async () => {
  const row = adapterRows.find(({ id }) => id === "AD-crash-02");
  await row?.run(
    spoilt(withReceipts(), {
      evidence: on(1, { kind: "interrupted" }),
      outcome: on(2, lost),
      messages: on(1, []),
    }),
  );
});

test.each(checks.map(([id, says, wrong, open = withReceipts]) => ({ id, says, wrong, open })))(
  "$id: $says",
  async ({ id, says, wrong, open }) => {
    const row = adapterRows.find((one) => one.id === id);
    await expect(row?.run(spoilt(open(), wrong))).rejects.toThrow(new Error(says));
  },
);
