import { readFileSync } from "node:fs";
import { check } from "../check/check.ts";
import { watchProcesses } from "../check/livest.ts";
import { createRandom } from "../random.ts";
import { collect } from "./collect.ts";
import type { Fault } from "./faults.ts";
import { createKeeper } from "./keeper.ts";
import { readPassages } from "./life.ts";
import { createStory } from "./load.ts";
import { points } from "./points.ts";
import { createScene, type StoreKind } from "./scene.ts";
import { openStorePlace } from "./store-place.ts";
import type { MatrixGuard } from "./without.ts";

export type CellPlan = {
  readonly point: string;
  readonly fault: Fault;
  readonly store: StoreKind;
  readonly seed: number;
  readonly without: MatrixGuard | null;
};

/**
 * What came of one cell; `hits`: how often the struck life came by its point, `ok`: it was struck
 * there and nothing was wrong afterwards.
 */
export type Cell = CellPlan & {
  readonly hits: number;
  readonly struck: boolean;
  readonly ok: boolean;
  readonly violations: readonly string[];
  readonly ms: number;
};

/**
 * Plays a story with one fault in it, lets the service come to rest, and judges what it left
 * behind. `say` gets the log where something is wrong.
 */
export async function runCell(
  plan: CellPlan,
  server: string | null,
  say: (text: string) => void,
): Promise<Cell> {
  const began = performance.now();
  const point = points[plan.point];
  if (point === undefined) throw new Error(`there is no point ${plan.point}`);
  const place = await openStorePlace(server);
  const scene = await createScene(place.url);
  const processes = watchProcesses(scene.folder);
  const nth = 1 + Math.floor(createRandom(plan.seed)() * point.passes);
  const { story, steps } = createStory();
  scene.host.aim({ url: scene.webhookUrl, secret: scene.env["LOOP_HOST_WEBHOOK_SECRET"] ?? null });
  const keeper = createKeeper({
    scene,
    without: plan.without,
    strikes: { point: plan.point, fault: plan.fault, nth },
    prelude: point.prelude ?? null,
    place,
  });
  try {
    for (const step of steps) {
      await step(scene.host);
      if (!(await keeper.rest())) break; // What is stuck shows so.
    }
    const { hits, struck } = readPassages(scene.passages);
    const violations = [
      ...keeper.violations,
      ...check(await collect(scene, story, processes.livest)),
    ];
    if (violations.length > 0)
      say(
        `${plan.point} ${plan.fault} ${plan.store}, hit ${nth}:\n${violations.join("\n")}\n${readFileSync(scene.log, "utf8").split("\n").slice(-40).join("\n")}`,
      );
    return {
      ...plan,
      hits,
      struck,
      ok: struck && violations.length === 0,
      violations,
      ms: Math.round(performance.now() - began),
    };
  } finally {
    processes.close();
    await keeper.end();
    await scene.end();
    await place.close();
  }
}
