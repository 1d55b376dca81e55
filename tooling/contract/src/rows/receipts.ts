import { setTimeout as sleep } from "node:timers/promises";
import { messagesUnder, objectsOf, outlineOf } from "../seen.ts";
import { holds, type Row, row, same } from "../row.ts";

/**
 * How the program shows the message's uuid, our receipt of an attempt. What a receipt is good for
 * is the adapter contract's.
 */
export const receiptRows: readonly Row[] = [
  row(
    "HA-receipt-01",
    "the receipt names the message in the lifecycle, the echo, the result and the transcript",
    async (scene) => {
      const ended = await scene.turn("hello");
      const lines = objectsOf(ended.lines);
      holds(
        "lifecycle",
        lines.some(
          (line) => line["type"] === "command_lifecycle" && line["command_uuid"] === ended.receipt,
        ),
      );
      holds(
        "echo",
        lines.some(
          (line) =>
            line["isReplay"] === true &&
            line["uuid"] === ended.receipt &&
            typeof line["timestamp"] === "string",
        ),
      );
      same("result", lines.find((line) => line["type"] === "result")?.["user_message_uuids"], [
        ended.receipt,
      ]);
      same("transcript", messagesUnder(scene, ended.receipt).length, 1);
    },
  ),
  row(
    "HA-receipt-02",
    "the order of the output: queued, started, init, echo, reply, result, completed",
    async (scene) => {
      same("order", outlineOf(await scene.turn("hello")), [
        "queued",
        "started",
        "init",
        "echo",
        "assistant",
        "result",
        "completed",
      ]);
    },
  ),
  row("HA-receipt-11", "a turn that fails is cancelled, not completed", async (scene) => {
    const ended = await scene.turn("{{stub:error 500 api_error}}");
    same(
      "states",
      outlineOf(ended).filter((word) => !["init", "echo", "assistant", "result"].includes(word)),
      ["queued", "started", "cancelled"],
    );
  }),
  row(
    "HA-receipt-12",
    "a tool's turn: reply, result of the tool, reply, and two turns in the result",
    async (scene) => {
      const ended = await scene.turn("{{stub:bash echo hi}}");
      same("order", outlineOf(ended), [
        "queued",
        "started",
        "init",
        "echo",
        "assistant",
        "tool-result",
        "assistant",
        "result",
        "completed",
      ]);
      holds(
        "turns",
        ended.lines.some(
          (line) => line.includes('"type":"result"') && line.includes('"num_turns":2'),
        ),
      );
    },
  ),
  row(
    "HA-receipt-13",
    "two writers fork the conversation without a warning: two messages share a parent",
    async (scene) => {
      await scene.turn("hello");
      // Both must have read the conversation before either writes; on a busy machine that takes a
      // second or third go.
      for (const startMs of [800, 3_000, 8_000]) {
        const begun = await Promise.all(
          ["{{stub:hang 1000}}", "{{stub:hang 1000}}"].map((prompt) =>
            scene.begin(prompt, { mode: "resume" }),
          ),
        );
        await sleep(startMs);
        await Promise.all(begun.map((each) => each.send()));
        const both = await Promise.all(begun.map((each) => each.finish()));
        same(
          "exit codes",
          both.map((ended) => ended.end.code),
          [0, 0],
        );
        const parents = both.map((ended) => messagesUnder(scene, ended.receipt)[0]?.["parentUuid"]);
        if (parents[0] !== undefined && parents[0] === parents[1]) return;
      }
      holds("one parent", false);
    },
  ),
];
