import type { HarnessSignal } from "../../ports/harness.ts";
import { differs, has, holds, same } from "../same.ts";
import type { EndedAttempt } from "./attempt.ts";
import {
  type AdapterRow,
  type Conversation,
  conversation,
  row,
  run,
  say,
  thinkLong,
  withoutReceipts,
  withReceipts,
  type Words,
} from "./row.ts";
import { limitResetsAt } from "./stage.ts";

type Fits = (line: string, signal: HarnessSignal | null) => boolean;
const inSession: Fits = (_line, signal) => signal?.kind === "session";

/** Receipts, and what the traces of a child that died half-way prove. */
export const receiptRows: readonly AdapterRow[] = [
  row(
    "AD-receipt-01",
    "X03: a receipt that was answered is swallowed by a later process, whatever words come with it",
    async (stage) => {
      const talk = await conversation(stage);
      const { receipt } = await talk.turn("hello");
      for (const words of ["hello", "something else"])
        same(words, (await talk.turn(words, { mode: "resume", receipt })).outcome, {
          kind: "swallowed",
        });
      same("messages", talk.messages(), ["hello"]);
    },
    withReceipts,
  ),
  row(
    "AD-receipt-02",
    "X03: a swallowed receipt is noticed while standard input is still open",
    async (stage) => {
      const talk = await conversation(stage);
      const { receipt } = await talk.turn("hello");
      const begun = await talk.begin("hello", { mode: "resume", receipt });
      await begun.send();
      await begun.until(
        (_line, signal) => signal?.kind === "result" && signal.receipts.includes(receipt),
      );
      same("outcome", (await begun.finish()).outcome, { kind: "swallowed" });
    },
    withReceipts,
  ),
  row(
    "AD-receipt-03",
    "a receipt that ended in a recorded trouble is swallowed like an answered one: a new one is needed",
    async (stage) => {
      const talk = await conversation(stage);
      const { receipt } = await talk.turn([{ kind: "fail", with: "overloaded" }]);
      same("outcome", (await talk.turn(say("fine"), { mode: "resume", receipt })).outcome, {
        kind: "swallowed",
      });
    },
    withReceipts,
  ),
  row(
    "AD-receipt-04",
    "a receipt that was asked and never answered runs again, and stays one message on record",
    async (stage) => {
      const talk = await conversation(stage);
      const { receipt } = await killed(talk, thinkLong, inSession);
      has("again", (await talk.turn(say("fine"), { mode: "resume", receipt })).outcome, {
        kind: "done",
      });
      same("messages", talk.messages().length, 1);
      has("a later turn", (await talk.turn("hello", { mode: "resume" })).outcome, { kind: "done" });
    },
    withReceipts,
  ),
  row(
    "AD-receipt-05",
    "the same receipt in another conversation runs: receipts count within one",
    async (stage) => {
      const { receipt } = await (await conversation(stage)).turn("hello");
      has("outcome", (await (await conversation(stage)).turn("hello", { receipt })).outcome, {
        kind: "done",
      });
    },
    withReceipts,
  ),
  row(
    "AD-crash-01",
    "killed before the message is written: absent, and the id of the conversation is free",
    async (stage) => {
      const talk = await conversation(stage);
      const begun = await talk.begin("hello");
      await stage.sleep(300);
      const ended = await begun.kill();
      same("evidence", await ended.evidence(), { kind: "absent", sessionExists: false });
      has("again", (await talk.turn("hello", { receipt: ended.receipt })).outcome, {
        kind: "done",
      });
      same("messages", talk.messages(), ["hello"]);
    },
    withReceipts,
  ),
  row(
    "AD-crash-02",
    "killed as the message is taken: whatever the traces say, the message runs once more at most and stands once on record",
    async (stage) => {
      const talk = await conversation(stage);
      const ended = await killed(talk, thinkLong, (_line, signal) => signal?.kind === "accepted");
      const evidence = await ended.evidence();
      holds("evidence", ["absent", "asked-only", "interrupted"].includes(evidence.kind), evidence);
      if (evidence.kind === "interrupted") return;
      const mode = evidence.kind === "absent" && !evidence.sessionExists ? "start" : "resume";
      has("again", (await talk.turn(say("fine"), { mode, receipt: ended.receipt })).outcome, {
        kind: "done",
      });
      same("messages", talk.messages().length, 1);
    },
    withReceipts,
  ),
  row(
    "AD-crash-03",
    "killed once the model is asked: the message was on record before, and is known as asked",
    async (stage) => {
      const talk = await conversation(stage);
      const ended = await killed(talk, thinkLong, inSession);
      same("messages", talk.messages().length, 1);
      same("evidence", await ended.evidence(), { kind: "asked-only" });
    },
    withReceipts,
  ),
  row(
    "AD-crash-04",
    "killed inside of a command: interrupted, also when the output is lost; it goes on under a new receipt",
    async (stage) => {
      const talk = await conversation(stage);
      const begun = await talk.begin(run("touch started && sleep 30"));
      await begun.send();
      while (stage.place.read("started") === null) await stage.sleep(10);
      const ended = await begun.kill();
      same("evidence", await ended.evidence(), { kind: "interrupted" });
      same("evidence without the output", await ended.evidence("lost"), { kind: "interrupted" });
      has("continued", (await talk.turn(say("went on"), { mode: "resume" })).outcome, {
        kind: "done",
      });
    },
    withReceipts,
  ),
  row("AD-crash-05", "killed after the end of turn: done", async (stage) => {
    const talk = await conversation(stage);
    const ended = await killed(talk, "hello", (_line, signal) => signal?.kind === "result");
    has("evidence", await ended.evidence(), { kind: "done" });
  }),
  row(
    "AD-crash-06",
    "a trouble of the model's service is found on record when the output is lost",
    async (stage) => {
      const ended = await (await conversation(stage)).turn([{ kind: "fail", with: "overloaded" }]);
      const evidence = await ended.evidence("lost");
      if (evidence.kind !== "api-error") throw differs("evidence", evidence, "api-error");
      has("outcome", evidence.outcome, { kind: "transient" });
    },
    withReceipts,
  ),
  row(
    "AD-crash-07",
    "usage limit: it is found on record, with its time, when the output is lost",
    async (stage) => {
      const ended = await (await conversation(stage)).turn([{ kind: "fail", with: "usage-limit" }]);
      const evidence = await ended.evidence("lost");
      if (evidence.kind !== "api-error") throw differs("evidence", evidence, "api-error");
      has("outcome", evidence.outcome, { kind: "usage-limit", until: limitResetsAt });
    },
    ({ receipts, reports }) => receipts && reports.includes("reset-time"),
  ),
  row(
    "AD-crash-08",
    "SIGTERM leaves the message on record: asked",
    async (stage) => {
      const ended = await killed(await conversation(stage), thinkLong, inSession, "SIGTERM");
      same("evidence", await ended.evidence(), { kind: "asked-only" });
    },
    withReceipts,
  ),
  row(
    "AD-crash-09",
    "transcript missing: an attempt of which every trace is gone is absent",
    async (stage) => {
      const talk = await conversation(stage);
      const ended = await talk.turn("hello");
      stage.program.forget(talk.id);
      same("evidence", await ended.evidence("lost"), { kind: "absent", sessionExists: false });
    },
    withReceipts,
  ),
  row(
    "AD-crash-10",
    "without receipts nothing but an end of turn in the kept output proves anything: everything else is for a person",
    async (stage) => {
      const talk = await conversation(stage);
      const done = await talk.turn("hello");
      has("done", await done.evidence(), { kind: "done" });
      same("done, output lost", (await done.evidence("lost")).kind, "unknown");
      const begun = await talk.begin(thinkLong, { mode: "resume" });
      await begun.send();
      await begun.until(inSession);
      same("killed", (await (await begun.kill()).evidence()).kind, "unknown");
    },
    withoutReceipts,
  ),
];

/** Sends a message and kills the child at a line of its output. */
async function killed(
  talk: Conversation,
  words: Words,
  at: Fits,
  signal?: "SIGTERM" | "SIGKILL",
): Promise<EndedAttempt> {
  const begun = await talk.begin(words);
  await begun.send();
  await begun.until(at);
  return begun.kill(signal);
}
