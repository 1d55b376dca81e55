import { randomUUID } from "node:crypto";
import type { Reported, Trouble, TurnPlan, Turns } from "../../src/ports/harness.ts";
import type { ChildEnd } from "../../src/ports/run-process.ts";
import type { Outcome, ReceiptEvidence } from "../../src/turn/outcome.ts";
import {
  type AdapterStage,
  type Deed,
  limitResetsAt,
  type StagedChild,
} from "../../src/testing/adapter/stage.ts";

/** A harness that is all in memory, with an adapter that keeps every row: receipts or none. */
export function openTinyStage({ receipts }: { readonly receipts: boolean }): AdapterStage {
  const talks = new Map<string, Message[]>();
  const files = new Map<string, string>();
  let trustText: string | null = null;
  return {
    turns: tinyTurns(talks, receipts),
    trust: {
      check: async () =>
        trustText !== null && trustText !== "trusted"
          ? { kind: "failed", file: "trust", why: "it does not parse" }
          : { kind: "good", file: "trust", why: "" },
      async prepare() {
        if (trustText !== null && trustText !== "trusted")
          return { kind: "failed", file: "trust", why: "it does not parse" };
        const written = trustText === null;
        trustText = "trusted";
        return written
          ? { kind: "written", file: "trust", keys: ["trusted"] }
          : { kind: "already" };
      },
    },
    hooks: {
      parse: (stdin) =>
        stdin.startsWith("tool:")
          ? {
              event: "pre-tool",
              sessionId: "s",
              tool: "Shell",
              toolUseId: null,
              input: { command: stdin.slice(5) },
              response: null,
              transcriptPath: null,
              cwd: null,
              again: false,
              resumed: null,
            }
          : null,
      render: (reply) => ({
        stdout: reply.kind === "context" ? reply.text : "",
        stderr: reply.kind === "block" ? reply.reason : "",
        code: reply.kind === "block" ? 2 : 0,
      }),
    },
    newConversation: async () => ({ kind: "made", id: randomUUID() }),
    start: async (plan, workdir) =>
      startTiny(plan, { talks, write: (name, text) => void files.set(`${workdir}/${name}`, text) }),
    script: (deeds) => ({ prompt: `do ${JSON.stringify(deeds)}`, env: {} }),
    env: { PATH: "/state/bin:/bin", LOOP_INSTANCE: "tiny", LOOP_WORK_ITEM: "host:octo/demo#1" },
    place: {
      workdir: "/checkout",
      elsewhere: "/elsewhere",
      turnDir: "/turn",
      read: (name) => files.get(`/checkout/${name}`) ?? null,
    },
    program: {
      messages: (id) => (talks.get(id) ?? []).map(({ prompt }) => prompt),
      forget: (id) => void talks.delete(id),
      hookInput: async () => ({ stdin: "tool:echo hi", env: {} }),
      trustFile: { read: () => trustText ?? "", write: (text) => (trustText = text) },
    },
    uuid: randomUUID,
    sleep: () => new Promise((resolve) => setImmediate(resolve)),
  };
}

type Message = {
  readonly receipt: string;
  readonly prompt: string;
  state: "asked" | "acted" | "answered" | Trouble;
};
type Line = {
  readonly line: "accepted" | "session" | "swallowed" | "result";
  readonly receipt: string;
  readonly trouble?: Trouble;
  readonly denied?: readonly string[];
};

const everyTrouble: Readonly<Record<Trouble, Outcome>> = {
  overloaded: { kind: "transient", status: 529, detail: "" },
  "server-error": { kind: "transient", status: 500, detail: "" },
  "rate-limited": { kind: "transient", status: 429, detail: "" },
  unreachable: { kind: "transient", status: null, detail: "" },
  "usage-limit": { kind: "usage-limit", until: limitResetsAt, limit: null },
  "logged-out": { kind: "login", detail: "" },
  "key-refused": { kind: "login", detail: "" },
  forbidden: { kind: "login", detail: "" },
  "no-credit": { kind: "billing", detail: "" },
  "prompt-too-long": { kind: "prompt-too-long" },
  "refused-request": { kind: "bad-invocation", detail: "" },
};
const reports: readonly Reported[] = ["denials", "spend", "reset-time"];
const tells: readonly Trouble[] = [
  "overloaded",
  "server-error",
  "rate-limited",
  "unreachable",
  "usage-limit",
  "logged-out",
  "key-refused",
  "forbidden",
  "no-credit",
  "prompt-too-long",
  "refused-request",
];

function tinyTurns(talks: ReadonlyMap<string, readonly Message[]>, receipts: boolean): Turns {
  return {
    capabilities: {
      presetSessionId: true,
      receipts,
      headless: true,
      interactive: false,
      stopGateInHeadless: false,
      promptVia: "stdin",
      tells,
      reports,
    },
    runner: "headless",
    plan: ({ mode, sessionId, receipt, prompt, env }) => ({
      argv: ["tiny", mode, sessionId],
      env,
      stdin: JSON.stringify({ receipt, prompt }),
      closeInput: "after-result",
    }),
    readLine(text) {
      const said = parseLine(text);
      if (said === null) return null;
      if (said.line === "session") return { kind: "session", sessionId: "s", version: null };
      return said.line === "accepted"
        ? { kind: "accepted", receipt: said.receipt }
        : { kind: "result", receipts: receipts ? [said.receipt] : [] };
    },
    outcome({ stdout, stderr, end }) {
      const last = stdout
        .map(parseLine)
        .findLast((line) => line?.line === "result" || line?.line === "swallowed");
      if (last?.line === "swallowed") return { kind: "swallowed" };
      if (last?.trouble !== undefined) return everyTrouble[last.trouble];
      if (last !== undefined)
        return {
          kind: "done",
          denials: (last?.denied ?? []).map((input) => ({ tool: "Shell", input })),
          usd: 1,
          minutes: 1,
        };
      if (end.stopped === "deadline" || end.stopped === "output-limit")
        return { kind: end.stopped === "deadline" ? "timeout" : "output-limit" };
      if (end.stopped !== null || end.signal !== null)
        return { kind: "killed", signal: end.signal, asked: end.stopped !== null };
      if (stderr === "lost") return { kind: "session-not-found" };
      return stderr === "taken"
        ? { kind: "session-id-taken" }
        : { kind: "unclear", detail: stderr };
    },
    evidence: async ({ stdout, sessionId, receipt }) =>
      evidenceOf(
        stdout.map(parseLine).some((line) => line?.line === "result" && line.trouble === undefined),
        receipts ? { talk: talks.get(sessionId), receipt } : null,
      ),
    probe: async () => ({
      found: true,
      command: "tiny",
      version: "1",
      tested: true,
      login: "yes",
      hint: null,
    }),
  };
}

function evidenceOf(
  ended: boolean,
  record: { readonly talk: readonly Message[] | undefined; readonly receipt: string } | null,
): ReceiptEvidence {
  if (ended) return { kind: "done", usd: 1, minutes: 1 };
  if (record === null) return { kind: "unknown", why: "there is no record" };
  const state = record.talk?.find((message) => message.receipt === record.receipt)?.state;
  if (state === undefined) return { kind: "absent", sessionExists: record.talk !== undefined };
  if (state === "asked") return { kind: "asked-only" };
  return state === "acted" || state === "answered"
    ? { kind: "interrupted" }
    : { kind: "api-error", outcome: everyTrouble[state] };
}

function parseLine(text: string): Line | null {
  return text.startsWith('{"line":') ? JSON.parse(text) : null;
}

type Program = { readonly talks: Map<string, Message[]>; write(name: string, text: string): void };

/** The program itself: takes one message, does its deeds, and says so. */
function startTiny(
  { argv: [, mode, id = ""], env }: TurnPlan,
  { talks, write }: Program,
): StagedChild {
  const { lines, say, close } = queue();
  let stderr = "";
  let end: (end: ChildEnd) => void = () => {};
  const ended = new Promise<ChildEnd>((resolve) => (end = resolve)).finally(close);
  let through = false;
  void outlive(ended).then(() => exit(null, "SIGKILL"));
  const exit = (code: number | null, signal: string | null = null): void =>
    end({ code, signal, stopped: null });
  const refuse = (words: string): void => {
    stderr = words;
    exit(1);
  };
  const take = ({
    receipt,
    prompt,
  }: {
    readonly receipt: string;
    readonly prompt: string;
  }): void => {
    const talk = talks.get(id);
    if (mode === "start" && talk !== undefined) return refuse("taken");
    if (mode === "resume" && talk === undefined) return refuse("lost");
    const before = talk?.find((message) => message.receipt === receipt);
    if (before !== undefined && before.state !== "asked")
      return finish({ line: "swallowed", receipt });
    const message: Message = before ?? { receipt, prompt, state: "asked" };
    if (before === undefined) talks.set(id, [...(talk ?? []), message]);
    say({ line: "accepted", receipt });
    say({ line: "session", receipt });
    const result = carryOut(prompt.startsWith("do ") ? JSON.parse(prompt.slice(3)) : [], message);
    if (result !== null) finish(result);
  };
  const finish = (line: Line): void => {
    say(line);
    through = true;
  };
  const carryOut = (deeds: readonly Deed[], message: Message): Line | null => {
    const denied: string[] = [];
    for (const deed of deeds) {
      if (deed.kind === "wait") return null;
      if (deed.kind === "fail") {
        message.state = deed.with;
        return { line: "result", receipt: message.receipt, trouble: deed.with };
      }
      if (deed.kind === "run-forbidden") denied.push(deed.command);
      if (deed.kind !== "run") continue;
      message.state = "acted";
      for (const name of /(?:touch|>) (\S+)/.exec(deed.command)?.slice(1) ?? [])
        write(
          name,
          Object.entries(env)
            .map((pair) => pair.join("="))
            .join("\n"),
        );
      if (deed.command.includes("sleep")) return null;
    }
    message.state = "answered";
    return { line: "result", receipt: message.receipt, denied };
  };
  return {
    pid: 1,
    write: async (text) => take(JSON.parse(text)),
    endInput: () => through && exit(0),
    lines,
    stderr: () => stderr,
    ended,
    signal: (name) => exit(null, name),
  };
}

/** The stage's patience, in rounds of the event loop, so that no clock decides. */
async function outlive(ended: Promise<unknown>): Promise<void> {
  let over = false;
  void ended.then(() => (over = true));
  for (let rounds = 0; rounds < 1_000 && !over; rounds += 1)
    await new Promise((resolve) => setImmediate(resolve));
}

/** Lines that somebody reads as they come. */
function queue(): { lines(): AsyncGenerator<string>; say(line: Line): void; close(): void } {
  const said: string[] = [];
  let [open, wake] = [true, (): void => {}];
  return {
    async *lines() {
      for (let at = 0; open || at < said.length; at += 1) {
        while (open && at >= said.length) await new Promise<void>((resolve) => (wake = resolve));
        const line = said[at];
        if (line !== undefined) yield line;
      }
    },
    say(line) {
      said.push(JSON.stringify(line));
      wake();
    },
    close() {
      open = false;
      wake();
    },
  };
}
