import type { Outcome } from "../../turn/outcome.ts";
import type { Trouble } from "../../ports/harness.ts";
import { differs, has, holds, same } from "../same.ts";
import { type AdapterRow, conversation, row, run, say, thinkLong } from "./row.ts";
import { limitResetsAt } from "./stage.ts";

const troubles: readonly (readonly [
  id: string,
  trouble: Trouble,
  what: string,
  expected: Outcome["kind"],
])[] = [
  ["AD-end-01", "overloaded", "the model's service is overloaded", "transient"],
  ["AD-end-02", "server-error", "the model's service fails", "transient"],
  ["AD-end-03", "rate-limited", "too many requests", "transient"],
  ["AD-end-04", "unreachable", "the model's service cannot be reached", "transient"],
  ["AD-end-05", "logged-out", "login expired: nobody is logged in", "login"],
  ["AD-end-06", "key-refused", "login expired: the key is refused", "login"],
  ["AD-end-07", "forbidden", "the login may not do this", "login"],
  ["AD-end-08", "no-credit", "there is no credit left", "billing"],
  ["AD-end-09", "prompt-too-long", "the prompt is too long", "prompt-too-long"],
  ["AD-end-10", "refused-request", "the model's service refuses the request", "bad-invocation"],
  ["AD-end-11", "usage-limit", "usage limit: it is reached", "usage-limit"],
];

/** How a turn ends, in the words of the port. */
export const endRows: readonly AdapterRow[] = [
  ...troubles.map(([id, trouble, what, expected]) =>
    row(
      id,
      `${what}: told as that, or as unclear where the harness does not tell it; never as done`,
      async (stage) => {
        const talk = await conversation(stage);
        const { outcome } = await talk.turn([{ kind: "fail", with: trouble }]);
        const { tells, reports } = stage.turns.capabilities;
        same("outcome", outcome.kind, tells.includes(trouble) ? expected : "unclear");
        if (outcome.kind === "usage-limit")
          same("until", outcome.until, reports.includes("reset-time") ? limitResetsAt : null);
      },
    ),
  ),
  row(
    "AD-end-12",
    "after a trouble that passed a new receipt goes on in the same conversation",
    async (stage) => {
      const talk = await conversation(stage);
      await talk.turn("hello");
      await talk.turn([{ kind: "fail", with: "overloaded" }], { mode: "resume" });
      has("outcome", (await talk.turn(say("fine"), { mode: "resume" })).outcome, { kind: "done" });
    },
  ),
  row(
    "AD-end-13",
    "a child that is ended by a signal was killed, and its conversation can go on",
    async (stage) => {
      const talk = await conversation(stage);
      await talk.turn("hello");
      const begun = await talk.begin(thinkLong, { mode: "resume" });
      await begun.send();
      await begun.until((_line, signal) => signal?.kind === "session");
      same("outcome", (await begun.kill("SIGTERM")).outcome, {
        kind: "killed",
        signal: "SIGTERM",
        asked: false,
      });
      has("next turn", (await talk.turn(say("fine"), { mode: "resume" })).outcome, {
        kind: "done",
      });
    },
  ),
  row(
    "AD-end-14",
    "a command that is not allowed: the turn is done, and the denial is reported by an adapter that can",
    async (stage) => {
      const command = "curl --version";
      const talk = await conversation(stage);
      const { outcome } = await talk.turn([{ kind: "run-forbidden", command }]);
      same(
        "denials",
        done("outcome", outcome).denials.map(({ input }) => input),
        stage.turns.capabilities.reports.includes("denials") ? [command] : [],
      );
    },
  ),
  row(
    "AD-end-15",
    "what a turn cost is counted for that turn alone; without a report it is nothing",
    async (stage) => {
      const talk = await conversation(stage);
      const first = done("first turn", (await talk.turn("hello")).outcome);
      const second = done("second turn", (await talk.turn("again", { mode: "resume" })).outcome);
      if (!stage.turns.capabilities.reports.includes("spend"))
        return same("spend", [first.usd, second.usd], [0, 0]);
      holds("cost something", first.usd > 0, first);
      holds("not a running total", second.usd < first.usd * 1.5, second);
    },
  ),
  row(
    "AD-end-16",
    "X03: exit code 0 without the harness's own end of turn is not done, whatever else was printed",
    async (stage) => {
      for (const stdout of [[], ["all good"], ["{}"], ['{"result":"success"}', "null"]]) {
        const outcome = stage.turns.outcome({
          receipt: stage.uuid(),
          sessionId: stage.uuid(),
          end: { code: 0, signal: null, stopped: null },
          stdout,
          stderr: "",
        });
        same(`outcome of ${JSON.stringify(stdout)}`, outcome.kind, "unclear");
      }
    },
  ),
  row(
    "AD-end-17",
    "X01 X02: what we stopped a child for decides where there is no end of turn",
    async (stage) => {
      const judge = (stopped: "deadline" | "output-limit" | "asked"): Outcome =>
        stage.turns.outcome({
          receipt: stage.uuid(),
          sessionId: stage.uuid(),
          end: { code: null, signal: "SIGKILL", stopped },
          stdout: [],
          stderr: "",
        });
      same("deadline", judge("deadline"), { kind: "timeout" });
      same("output", judge("output-limit"), { kind: "output-limit" });
      same("asked", judge("asked"), { kind: "killed", signal: "SIGKILL", asked: true });
    },
  ),
  row(
    "AD-end-18",
    "the last line of a turn that is done is told from the lines before it",
    async (stage) => {
      const talk = await conversation(stage);
      const ended = await talk.turn(run("echo hi"));
      const results = ended.lines
        .map((line) => stage.turns.readLine(line))
        .flatMap((signal) => (signal?.kind === "result" ? [signal.receipts] : []));
      holds("a result", results.length > 0, ended.lines);
      same(
        "its receipts",
        new Set(results.flat()),
        new Set(stage.turns.capabilities.receipts ? [ended.receipt] : []),
      );
      same(
        "words of others",
        ["", "hello", "{}", "[]", "null"].map((line) => stage.turns.readLine(line)),
        [null, null, null, null, null],
      );
    },
  ),
  row("AD-probe-01", "the installed program is found, with its version", async (stage) => {
    const probe = await stage.turns.probe();
    has("probe", probe, { found: true });
    holds("version", probe.version !== null && probe.version !== "", probe);
    holds("a version that was not compared says so", probe.tested || probe.hint !== null, probe);
  }),
];

function done(what: string, outcome: Outcome): Extract<Outcome, { kind: "done" }> {
  if (outcome.kind !== "done") throw differs(what, outcome, "done");
  return outcome;
}
