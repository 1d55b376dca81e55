import { rmSync } from "node:fs";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { planTurn, proveReceipts } from "@loopwork/harness-a";
import { processes } from "../processes.ts";
import { messagesUnder, textOf } from "../seen.ts";
import { has, holds, type Row, row, same } from "../row.ts";
import type { Ended, Running } from "../running.ts";
import type { Scene } from "../scene.ts";
import { subscription } from "./outcomes.ts";

/** A child that dies half-way: what its traces prove, and what sending again does (decisions.md 4, D01, X05). */
export const crashRows: readonly Row[] = [
  row("HA-crash-01", "killed before the message is written: absent, and the session's id is free", async (scene) => {
    const begun = await scene.begin("hello");
    await sleep(300);
    const ended = await begun.kill();
    same("evidence", await ended.evidence(), { kind: "absent", sessionExists: false });
    has("again", (await scene.turn("hello", { receipt: ended.receipt })).outcome, { kind: "done" });
    same("messages", messagesUnder(scene, ended.receipt).length, 1);
  }),
  row("HA-crash-02", "killed as the message is taken: absent or asked; the same receipt runs, once on record", async (scene) => {
    const ended = await killedAt(scene, "{{stub:hang 30000}}", (_line, signal) => signal?.kind === "accepted");
    const evidence = await ended.evidence();
    holds("evidence", ["absent", "asked-only", "interrupted"].includes(evidence.kind), evidence);
    if (evidence.kind === "interrupted") return;
    const mode = evidence.kind === "absent" && !evidence.sessionExists ? "start" : "resume";
    has("again", (await scene.turn("{{stub:text fine}}", { mode, receipt: ended.receipt })).outcome, { kind: "done" });
    same("messages", messagesUnder(scene, ended.receipt).length, 1);
  }),
  row("HA-crash-03", "the message is on disk before the model is asked: killed at init it is asked, and the same receipt runs", async (scene) => {
    const ended = await killedAt(scene, "{{stub:hang 30000}}", (_line, signal) => signal?.kind === "session");
    same("messages", messagesUnder(scene, ended.receipt).length, 1);
    same("evidence", await ended.evidence(), { kind: "asked-only" });
    has("again", (await scene.turn("{{stub:text fine}}", { mode: "resume", receipt: ended.receipt })).outcome, { kind: "done" });
    same("messages after", messagesUnder(scene, ended.receipt).length, 1);
  }),
  row("HA-crash-04", "killed while the model thinks: asked, no tool, no reply", async (scene) => {
    const begun = await scene.begin(`{{stub:hang 30000}} ${scene.sessionId}`);
    await begun.send();
    await reachesModel(scene, begun);
    const ended = await begun.kill();
    same("messages", messagesUnder(scene, ended.receipt).length, 1);
    same("evidence", await ended.evidence(), { kind: "asked-only" });
  }),
  row("HA-crash-05", "killed inside of a tool: interrupted, by the ledger of our hook", async (scene) => {
    const begun = await scene.begin("{{stub:bash touch started && sleep 30}}");
    await begun.send();
    while (textOf(path.join(scene.turnDir, "tools.jsonl")) === "") await sleep(10);
    const ended = await begun.kill();
    const ledger = textOf(path.join(scene.turnDir, "tools.jsonl"));
    has("ledger", JSON.parse(ledger.split("\n")[0] ?? ""), { sessionId: scene.sessionId, tool: "Bash", receipt: ended.receipt });
    same("evidence", await ended.evidence(), { kind: "interrupted" });
    same("evidence without the output", await scene.adapter().turns.evidence({ receipt: ended.receipt, sessionId: scene.sessionId, workdir: scene.workdir, turnDir: scene.turnDir, stdout: [] }), { kind: "interrupted" });
  }),
  row("HA-crash-06", "an interrupted turn goes on under a new receipt", async (scene) => {
    const begun = await scene.begin("{{stub:bash touch started && sleep 30}}");
    await begun.send();
    while (textOf(path.join(scene.turnDir, "tools.jsonl")) === "") await sleep(10);
    await begun.kill();
    has("continued", (await scene.turn("{{stub:text went on}}", { mode: "resume" })).outcome, { kind: "done" });
  }),
  row("HA-crash-07", "killed at the first reply: interrupted, although the transcript may not have the reply yet", async (scene) => {
    const ended = await killedAt(scene, "{{stub:bash sleep 30}}", (line) => line.includes('"type":"assistant"'));
    same("evidence", await ended.evidence(), { kind: "interrupted" });
  }),
  row("HA-crash-08", "killed after the result: done, and the same receipt is swallowed", async (scene) => {
    const ended = await killedAt(scene, "hello", (line) => line.includes('"type":"result"'));
    has("evidence", await ended.evidence(), { kind: "done" });
    await sleep(50);
    const again = await scene.turn("hello", { mode: "resume", receipt: ended.receipt });
    holds("again", ["swallowed", "done"].includes(again.outcome.kind), again.outcome);
  }),
  row("HA-crash-09", "an API error is found in the transcript when the output is lost", async (scene) => {
    const ended = await scene.turn("{{stub:error 529 overloaded_error}}", { env: { CLAUDE_CODE_MAX_RETRIES: "0" } });
    const evidence = await withoutOutput(scene, ended);
    same("evidence", evidence.kind, "api-error");
    has("outcome", Object(evidence.kind === "api-error" ? evidence.outcome : null), { kind: "transient", status: 529 });
  }),
  row("HA-crash-10", "a usage limit is found in the transcript, with its time", async (scene) => {
    const ended = await scene.turn("{{stub:limit seven_day 1900000000}}", subscription);
    same("evidence", await withoutOutput(scene, ended), { kind: "api-error", outcome: { kind: "usage-limit", until: 1_900_000_000_000, limit: "seven_day" } });
  }),
  row("HA-crash-11", "SIGTERM leaves the message on record: asked", async (scene) => {
    const ended = await killedAt(scene, "{{stub:hang 30000}}", (_line, signal) => signal?.kind === "session", "SIGTERM");
    same("evidence", await ended.evidence(), { kind: "asked-only" });
  }),
  row("HA-crash-12", "a ledger line of another attempt does not count", async (scene) => {
    const ended = await killedAt(scene, "{{stub:hang 30000}}", (_line, signal) => signal?.kind === "session");
    scene.write("turn/tools.jsonl", `${JSON.stringify({ sessionId: scene.sessionId, tool: "Bash", toolUseId: "x", receipt: "00000000-0000-4000-8000-000000000000", at: 1 })}\n`);
    same("evidence", await ended.evidence(), { kind: "asked-only" });
  }),
  row("HA-crash-13", "without any output kept, a message on record is interrupted: nothing proves that our hook was there", async (scene) => {
    const ended = await killedAt(scene, "{{stub:hang 30000}}", (_line, signal) => signal?.kind === "session");
    same("evidence", await withoutOutput(scene, ended), { kind: "interrupted" });
  }),
  row("HA-crash-14", "a session of which every trace is gone is absent", async (scene) => {
    const ended = await scene.turn("hello");
    rmSync(path.join(scene.configDir, "projects"), { recursive: true, force: true });
    same("evidence", await withoutOutput(scene, ended), { kind: "absent", sessionExists: false });
  }),
  row("HA-crash-15", "a version is proven by one turn of its own; without the eager flush the proof fails", async (scene) => {
    const options = { command: scene.subject.command, pluginDir: scene.pluginDir, environment: scene.environment(), processes, probeDir: scene.dir };
    same("proof", await proveReceipts(options), true);
    const withoutFlush: typeof planTurn = (request, command) => {
      const plan = planTurn(request, command);
      return { ...plan, env: { ...plan.env, CLAUDE_CODE_EAGER_FLUSH: "0" } };
    };
    same("proof without the eager flush", await proveReceipts(options, withoutFlush), false);
  }),
];

async function killedAt(scene: Scene, prompt: string, fits: Parameters<Running["until"]>[0], signal: NodeJS.Signals = "SIGKILL"): Promise<Ended> {
  const begun = await scene.begin(prompt);
  await begun.send();
  await begun.until(fits);
  return begun.kill(signal);
}

function withoutOutput(scene: Scene, ended: Ended): ReturnType<Ended["evidence"]> {
  return scene.adapter().turns.evidence({ receipt: ended.receipt, sessionId: ended.sessionId, workdir: scene.workdir, turnDir: scene.turnDir, stdout: [] });
}

/** Waits until the model was asked: by its interface where there is one, else until the message was said back. */
async function reachesModel(scene: Scene, begun: Running): Promise<void> {
  const { api } = scene.subject;
  if (api === null) await begun.until((_line, signal) => signal?.kind === "reached-model");
  else while (!api.requests.some((request) => request.prompt.includes(scene.sessionId))) await sleep(5);
}
