import { readFileSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { readStore } from "../check/ask.ts";
import { check } from "../check/check.ts";
import type { MatrixGuard } from "../matrix/without.ts";
import type { Position } from "./positions.ts";
import type { Room } from "./room.ts";
import { injectionsOf, type ReceivingScene } from "./scene.ts";
import { sendAll, type Sent } from "./send.ts";
import { startPlain, startTraced, stopProcess, stopTraced } from "./traced.ts";

/** What came of one position; `times`: how often a call was made to fail. */
export type Struck = {
  readonly position: Position;
  readonly times: number;
  readonly acknowledged: number;
  readonly refusals: number;
  readonly violations: readonly string[];
};

/**
 * A life whose call fails while deliveries come, then one that nothing befalls: it must have all
 * that was acknowledged, and go on.
 */
export async function runPosition(
  position: Position,
  scene: ReceivingScene,
  without: MatrixGuard | null,
): Promise<Struck> {
  const room = await scene.createRoom();
  const traced = await startTraced(room, position, without);
  const before = await sendAll(scene.stage, room, "before");
  await stopTraced(traced);
  const life = await startPlain(room);
  const after = await sendAll(scene.stage, room, "after");
  await stopProcess(life);
  const found = [
    ...(await violationsOf(room, before, after)),
    ...(after.refusals > 0
      ? [`with the disk whole again ${after.refusals} deliveries were refused`]
      : []),
  ];
  const named = found.map(
    (violation) =>
      `${position.call} ${position.error} ${position.nth}${position.lasts ? "+" : ""}: ${violation}`,
  );
  return {
    position,
    times: injectionsOf(traced),
    acknowledged: before.acknowledged.length + after.acknowledged.length,
    refusals: before.refusals,
    violations: named,
  };
}

async function violationsOf(
  { database, log }: Room,
  before: Sent,
  after: Sent,
): Promise<readonly string[]> {
  const ids = [...before.acknowledged, ...after.acknowledged];
  const evidence = {
    sent: ids.map((id) => ({ id, statuses: [202], forbidden: false })),
    store: await readStore(`sqlite:${database}`),
    posts: [],
    prompts: [],
    expected: new Map(),
    authorized: ["ada"],
    livest: new Map(),
    trust: [],
    secrets: ["practice-secret", "practice-token"],
    texts: [{ where: "the log", text: readFileSync(log, "utf8") }],
    strayPaths: [],
  };
  const wrong = [...before.wrong, ...after.wrong].map(
    (status) => `a delivery was answered ${status}`,
  );
  return [...wrong, ...check(evidence), ...damageOf(database)];
}

function damageOf(database: string): readonly string[] {
  using db = new DatabaseSync(database, { readOnly: true });
  const verdict = String(db.prepare("pragma integrity_check").get()?.["integrity_check"]);
  return verdict === "ok" ? [] : [`the database is damaged: ${verdict}`];
}
