import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { EndedAttempt, RunningAttempt } from "@loopwork/core/testing";
import { planTurn, type ProofOptions, proveReceipts } from "@loopwork/harness-a";
import { processes } from "../processes.ts";
import { has, type Row, row, same } from "../row.ts";
import type { Scene } from "../scene.ts";
import { messagesUnder, textOf } from "../seen.ts";

/**
 * What the ledger of our hook and the output add to what the adapter contract says of a child that
 * dies half-way.
 */
export const crashRows: readonly Row[] = [
  row("HA-crash-04", "killed while the model thinks: asked, no tool, no reply", async (scene) => {
    const begun = await scene.begin(`{{stub:hang 30000}} ${scene.sessionId}`);
    await begun.send();
    await reachesModel(scene, begun);
    const ended = await begun.kill();
    same("messages", messagesUnder(scene, ended.receipt).length, 1);
    same("evidence", await ended.evidence(), { kind: "asked-only" });
  }),
  row(
    "HA-crash-05",
    "killed inside of a tool: the ledger of our hook names session, tool and receipt",
    async (scene) => {
      const begun = await scene.begin("{{stub:bash touch started && sleep 30}}");
      await begun.send();
      while (textOf(path.join(scene.turnDir, "tools.jsonl")) === "") await sleep(10);
      const ended = await begun.kill();
      const ledger = textOf(path.join(scene.turnDir, "tools.jsonl"));
      has("ledger", JSON.parse(ledger.split("\n")[0] ?? ""), {
        sessionId: scene.sessionId,
        tool: "Bash",
        receipt: ended.receipt,
      });
    },
  ),
  row(
    "HA-crash-07",
    "killed at the first reply: interrupted, although the transcript may not have the reply yet",
    async (scene) => {
      const ended = await killedAt(scene, "{{stub:bash sleep 30}}", (line) =>
        line.includes('"type":"assistant"'),
      );
      same("evidence", await ended.evidence(), { kind: "interrupted" });
    },
  ),
  row("HA-crash-12", "a ledger line of another attempt does not count", async (scene) => {
    const ended = await killedAt(
      scene,
      "{{stub:hang 30000}}",
      (_line, signal) => signal?.kind === "session",
    );
    scene.write(
      "turn/tools.jsonl",
      `${JSON.stringify({ sessionId: scene.sessionId, tool: "Bash", toolUseId: "x", receipt: "00000000-0000-4000-8000-000000000000", at: 1 })}\n`,
    );
    same("evidence", await ended.evidence(), { kind: "asked-only" });
  }),
  row(
    "HA-crash-13",
    "without any output kept, a message on record is interrupted: nothing proves that our hook was there",
    async (scene) => {
      const ended = await killedAt(
        scene,
        "{{stub:hang 30000}}",
        (_line, signal) => signal?.kind === "session",
      );
      same("evidence", await ended.evidence("lost"), { kind: "interrupted" });
    },
  ),
  row(
    "HA-crash-15",
    "a version is proven by one turn of its own; one that keeps no record of the message fails the proof",
    async (scene) => {
      same("proof", await proveReceipts(proofIn(scene)), true);
      const withoutRecord: typeof planTurn = (request, command) => {
        const plan = planTurn(request, command);
        return { ...plan, argv: [...plan.argv, "--no-session-persistence"] };
      };
      same("proof without a record", await proveReceipts(proofIn(scene), withoutRecord), false);
    },
  ),
];

/** Where and with which program a scene proves its version. */
export function proofIn(scene: Scene): ProofOptions {
  return {
    command: scene.subject.command,
    pluginDir: scene.pluginDir,
    environment: scene.environment(),
    processes,
    probeDir: scene.dir,
  };
}

async function killedAt(
  scene: Scene,
  prompt: string,
  fits: Parameters<RunningAttempt["until"]>[0],
): Promise<EndedAttempt> {
  const begun = await scene.begin(prompt);
  await begun.send();
  await begun.until(fits);
  return begun.kill();
}

/**
 * Waits until the model was asked: by its interface where there is one, else until the message was
 * said back.
 */
async function reachesModel(scene: Scene, begun: RunningAttempt): Promise<void> {
  if (scene.requests() === null)
    await begun.until((_line, signal) => signal?.kind === "reached-model");
  else while (scene.requests()?.length === 0) await sleep(5);
}
