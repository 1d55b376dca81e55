import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { messagesUnder, objectsOf, outlineOf, repliesOf } from "../seen.ts";
import { has, holds, type Row, row, same } from "../row.ts";

/** The message's uuid as the receipt of an attempt (decisions.md 4). */
export const receiptRows: readonly Row[] = [
  row("HA-receipt-01", "the receipt names the message in the lifecycle, the echo, the result and the transcript", async (scene) => {
    const ended = await scene.turn("hello");
    const lines = objectsOf(ended.lines);
    holds("lifecycle", lines.some((line) => line["type"] === "command_lifecycle" && line["command_uuid"] === ended.receipt));
    holds("echo", lines.some((line) => line["isReplay"] === true && line["uuid"] === ended.receipt && typeof line["timestamp"] === "string"));
    same("result", lines.find((line) => line["type"] === "result")?.["user_message_uuids"], [ended.receipt]);
    same("transcript", messagesUnder(scene, ended.receipt).length, 1);
  }),
  row("HA-receipt-02", "the order of the output: queued, started, init, echo, reply, result, completed", async (scene) => {
    same("order", outlineOf(await scene.turn("hello")), ["queued", "started", "init", "echo", "assistant", "result", "completed"]);
  }),
  row("HA-receipt-03", "nothing is printed and no session exists before the first message", async (scene) => {
    const begun = await scene.begin("hello");
    await sleep(700);
    same("output", begun.lines, []);
    same("transcript", scene.transcript(), []);
    await begun.send();
    has("outcome", (await begun.finish()).outcome, { kind: "done" });
  }),
  row("HA-receipt-04", "X03: an answered receipt is swallowed by a later process, with exit code 0", async (scene) => {
    const { receipt } = await scene.turn("hello");
    const replies = repliesOf(scene);
    const again = await scene.turn("hello", { mode: "resume", receipt });
    same("outcome", again.outcome, { kind: "swallowed" });
    same("exit code", again.end.code, 0);
    same("replies", repliesOf(scene), replies);
    same("messages", messagesUnder(scene, receipt).length, 1);
  }),
  row("HA-receipt-05", "an answered receipt swallows other words, too", async (scene) => {
    const { receipt } = await scene.turn("hello");
    same("outcome", (await scene.turn("something else", { mode: "resume", receipt })).outcome, { kind: "swallowed" });
  }),
  row("HA-receipt-06", "a receipt that ended in an API error is swallowed like an answered one", async (scene) => {
    const { receipt } = await scene.turn("{{stub:error 529 overloaded_error}}", { env: { CLAUDE_CODE_MAX_RETRIES: "0" } });
    same("outcome", (await scene.turn("{{stub:text fine}}", { mode: "resume", receipt })).outcome, { kind: "swallowed" });
  }),
  row("HA-receipt-07", "a new receipt after an API error runs", async (scene) => {
    await scene.turn("{{stub:error 529 overloaded_error}}", { env: { CLAUDE_CODE_MAX_RETRIES: "0" } });
    has("outcome", (await scene.turn("{{stub:text fine}}", { mode: "resume" })).outcome, { kind: "done" });
  }),
  row("HA-receipt-08", "a receipt that was asked and never answered runs again, and stays one message on record", async (scene) => {
    const begun = await scene.begin("{{stub:hang 30000}}");
    await begun.send();
    await begun.until((_line, signal) => signal?.kind === "session");
    await begun.kill();
    const again = await scene.turn("{{stub:text fine}}", { mode: "resume", receipt: begun.receipt });
    has("outcome", again.outcome, { kind: "done" });
    same("messages", messagesUnder(scene, begun.receipt).length, 1);
    has("a later turn", (await scene.turn("hello", { mode: "resume" })).outcome, { kind: "done" });
  }),
  row("HA-receipt-09", "the same receipt in another session runs: receipts count within one transcript", async (scene) => {
    const { receipt } = await scene.turn("hello");
    has("outcome", (await scene.turn("hello", { receipt, sessionId: randomUUID() })).outcome, { kind: "done" });
  }),
  row("HA-receipt-10", "X03: a swallowed receipt is noticed while standard input is still open", async (scene) => {
    const { receipt } = await scene.turn("hello");
    const begun = await scene.begin("hello", { mode: "resume", receipt });
    await begun.send();
    await begun.until((_line, signal) => signal?.kind === "result" && signal.receipts.includes(receipt));
    begun.child.endInput();
    same("outcome", (await begun.finish()).outcome, { kind: "swallowed" });
  }),
  row("HA-receipt-11", "a turn that fails is cancelled, not completed", async (scene) => {
    const ended = await scene.turn("{{stub:error 500 api_error}}", { env: { CLAUDE_CODE_MAX_RETRIES: "0" } });
    same("states", outlineOf(ended).filter((word) => !["init", "echo", "assistant", "result"].includes(word)), ["queued", "started", "cancelled"]);
  }),
  row("HA-receipt-12", "a tool's turn: reply, result of the tool, reply, and two turns in the result", async (scene) => {
    const ended = await scene.turn("{{stub:bash echo hi}}");
    same("order", outlineOf(ended), ["queued", "started", "init", "echo", "assistant", "tool-result", "assistant", "result", "completed"]);
    holds("turns", ended.lines.some((line) => line.includes('"type":"result"') && line.includes('"num_turns":2')));
  }),
  row("HA-receipt-13", "two writers fork the conversation without a warning: two messages share a parent", async (scene) => {
    await scene.turn("hello");
    // Both must have read the conversation before either writes; on a busy machine that takes a second or third go.
    for (const startMs of [800, 3_000, 8_000]) {
      const begun = await Promise.all(["{{stub:hang 1000}}", "{{stub:hang 1000}}"].map((prompt) => scene.begin(prompt, { mode: "resume" })));
      await sleep(startMs);
      await Promise.all(begun.map((each) => each.send()));
      const both = await Promise.all(begun.map((each) => each.finish()));
      same("exit codes", both.map((ended) => ended.end.code), [0, 0]);
      const parents = both.map((ended) => messagesUnder(scene, ended.receipt)[0]?.["parentUuid"]);
      if (parents[0] !== undefined && parents[0] === parents[1]) return;
    }
    holds("one parent", false);
  }),
];
