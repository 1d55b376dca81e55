import type {
  HarnessProbe,
  HarnessSignal,
  NewConversation,
  Observed,
  TurnPlan,
} from "../../src/ports/harness.ts";
import type { HookCall } from "../../src/ports/hooks.ts";
import type { ChildEnd } from "../../src/ports/run-process.ts";
import type { TrustCheck, TrustResult } from "../../src/ports/trust.ts";
import type { Outcome, ReceiptEvidence } from "../../src/turn/outcome.ts";
import type { AdapterStage, StagedChild } from "../../src/testing/adapter/stage.ts";

/** What an adapter and its program answer to the rows, by what they are asked for. */
export type Answers = {
  readonly id: NewConversation;
  readonly plan: TurnPlan;
  readonly exit: ChildEnd;
  readonly signal: HarnessSignal | null;
  readonly outcome: Outcome;
  readonly evidence: ReceiptEvidence;
  readonly probe: HarnessProbe;
  readonly prepare: TrustResult;
  readonly check: TrustCheck | null;
  readonly handed: {
    readonly stdin: string;
    readonly env: Readonly<Record<string, string>>;
  } | null;
  readonly call: HookCall | null;
  readonly reply: { readonly stdout: string; readonly stderr: string; readonly code: number };
  readonly messages: readonly string[];
  readonly file: string | null;
  readonly trust: string;
};

/**
 * Hears each question with its words and the true answer, and gives the answer that the row gets.
 */
export type Hear = <K extends keyof Answers>(
  what: K,
  asked: string,
  answer: Answers[K],
) => Answers[K];

/**
 * A stage whose every answer passes somebody by, and everything that is done besides as `did`.
 * Receipts and conversations are numbered.
 */
export function watched(
  { turns, trust, hooks, program, place, ...stage }: AdapterStage,
  hear: Hear,
  did: (what: string) => void = () => {},
): AdapterStage {
  let ids = 0;
  let slept = false;
  return {
    ...stage,
    turns: {
      ...turns,
      plan: (request) =>
        hear(
          "plan",
          `${request.mode} ${request.sessionId} ${request.receipt} in ${request.workdir}${beside(stage.env, request.env)}: ${short(request.prompt)}`,
          turns.plan(request),
        ),
      readLine: (line) => hear("signal", line, turns.readLine(line)),
      outcome: (observed) => hear("outcome", ended(observed), turns.outcome(observed)),
      evidence: async (trace) =>
        hear(
          "evidence",
          `${trace.sessionId} ${trace.receipt} from ${trace.stdout.length} lines`,
          await turns.evidence(trace),
        ),
      probe: async () => hear("probe", "", await turns.probe()),
    },
    trust: {
      check: async (env) => hear("check", String(env === stage.env), await trust.check(env)),
      prepare: async ({ env, ...request }) =>
        hear(
          "prepare",
          `${JSON.stringify(request)} ${String(env === stage.env)}`,
          await trust.prepare({ env, ...request }),
        ),
    },
    hooks: {
      parse: (stdin, env) => hear("call", JSON.stringify(stdin), hooks.parse(stdin, env)),
      render: (reply, event) =>
        hear("reply", `${JSON.stringify(reply)} at ${event ?? "any"}`, hooks.render(reply, event)),
    },
    program: {
      messages: (id) => hear("messages", id, program.messages(id)),
      forget: (id) => (did(`forget ${id}`), program.forget(id)),
      hookInput: async () => hear("handed", "", await program.hookInput()),
      trustFile:
        program.trustFile === null
          ? null
          : {
              read: () => hear("trust", "", program.trustFile?.read() ?? ""),
              write: (text) => (did(`trust is ${text}`), program.trustFile?.write(text)),
            },
    },
    // A command begins a little after its message.
    place: {
      ...place,
      read: (name) => hear("file", name, name === "started" && !slept ? null : place.read(name)),
    },
    newConversation: async () => (
      await stage.newConversation(),
      hear("id", "", { kind: "made", id: `c${(ids += 1)}` })
    ),
    uuid: () => `id-${(ids += 1)}`,
    sleep: async (ms) => {
      did(`sleep ${ms}`);
      await stage.sleep(ms);
      slept = true;
    },
    start: async (plan, workdir) => watchedChild(await stage.start(plan, workdir), hear, did),
  };
}

/**
 * Its lines come one by one, after a line of nothing and one of no meaning, and none after it was
 * killed.
 */
function watchedChild(child: StagedChild, hear: Hear, did: (what: string) => void): StagedChild {
  let [lines, killed] = [0, false];
  return {
    ...child,
    write: (text) => (did("write"), child.write(text)),
    endInput: () => (did(`end of input after ${lines} lines`), child.endInput()),
    signal(name) {
      did(name);
      killed = true;
      child.signal(name);
    },
    ended: child.ended.then((end) => hear("exit", "", end)),
    async *lines() {
      yield* ["", "some words"];
      for await (const line of child.lines()) {
        if (killed) return;
        lines += 1;
        yield line;
        await new Promise((resolve) => setImmediate(resolve));
      }
    },
  };
}

/** How an attempt ended and what it printed: our lines by their kind, others as they are. */
function ended({ receipt, sessionId, end, stdout, stderr }: Observed): string {
  const printed = stdout.map((line) =>
    line.startsWith('{"line"') ? String(Object(JSON.parse(line))["line"]) : JSON.stringify(line),
  );
  return `${sessionId} ${receipt} with ${end.signal ?? end.code}${end.stopped === null ? "" : ` for ${end.stopped}`}: ${printed.join(" ")}${stderr === "" ? "" : `; ${stderr}`}`;
}

/** Variables that a turn has beside those of the stage. */
function beside(
  usual: Readonly<Record<string, string>>,
  env: Readonly<Record<string, string>>,
): string {
  const more = Object.entries(env).filter(([name, value]) => usual[name] !== value);
  return `${Object.keys(usual).every((name) => name in env) ? "" : " without its environment"}${more.map((pair) => ` ${pair.join("=")}`).join("")}`;
}

function short(text: string): string {
  return text.length <= 200
    ? JSON.stringify(text)
    : `${text.length} characters, … ${text.slice(-8)}`;
}
