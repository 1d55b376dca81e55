import { post } from "../load.ts";
import { commented, mallory, type Signed, type Stage } from "../payloads.ts";
import type { Room } from "./room.ts";

/**
 * What came of deliveries: ids that were acknowledged, how many were refused with 503 or broke off,
 * and every other answer.
 */
export type Sent = {
  readonly acknowledged: readonly string[];
  readonly refusals: number;
  readonly wrong: readonly number[];
};

const deliveries = 12;

/**
 * Some deliveries one after the other, small ones and such whose bodies stand beside the database,
 * each once.
 */
export async function sendAll(stage: Stage, room: Room, ids: string = "d"): Promise<Sent> {
  const [acknowledged, wrong]: [string[], number[]] = [[], []];
  let refusals = 0;
  for (let n = 1; n <= deliveries; n += 1) {
    const delivery = deliveryOf(stage, n, `${ids}-${n}`);
    const status = await post(room.url, delivery).catch(() => null);
    if (status === 202) acknowledged.push(delivery.id);
    else if (status === null || status === 503) refusals += 1;
    else wrong.push(status);
  }
  return { acknowledged, refusals, wrong };
}

function deliveryOf(stage: Stage, n: number, id: string): Signed {
  // Equal bodies under two ids would be one delivery.
  return commented(
    stage,
    n,
    n,
    `${id} ${n % 3 === 0 ? "a long word ".repeat(400) : "a short word"}`,
    id,
    mallory,
  );
}
