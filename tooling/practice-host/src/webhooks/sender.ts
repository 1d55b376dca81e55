import { randomUUID } from "node:crypto";
import type { JsonObject } from "../wire/json.ts";
import type { Attempt, Delivery, Disorder, WebhookTarget } from "./delivery.ts";
import { createDraws } from "./draws.ts";
import { post } from "./post.ts";

/**
 * Sends deliveries. In order each one waits for the answer to the one before; in disorder each
 * travels alone. As on the real host a failed delivery is not sent again unless somebody asks.
 */
export interface Sender {
  emit(event: string, action: string, payload: JsonObject): Delivery;
  redeliver(id: string): Promise<Attempt>;
  deliveries(): readonly Delivery[];
  aim(target: WebhookTarget | null): void;
  disturb(disorder: Disorder | null): void;
  /** Resolves when nothing is under way. */
  idle(): Promise<void>;
  stop(): void;
}

export function createSender(now: () => number): Sender {
  const sent: Delivery[] = [];
  const timers = new Set<NodeJS.Timeout>();
  const underWay = new Set<Promise<unknown>>();
  let target: WebhookTarget | null = null;
  let disorder: { readonly how: Disorder; readonly draw: () => number } | null = null;
  let queue: Promise<unknown> = Promise.resolve();
  let stopped = false;
  let nextAttempt = 90_000_000_001;

  const attempt = async (
    delivery: Delivery,
    why: Attempt["why"],
    to: WebhookTarget | null = target,
  ): Promise<Attempt> => {
    const at = new Date(now()).toISOString();
    const result =
      to === null || stopped
        ? { status: null, error: "there is no address to send to" }
        : await post(delivery, to).then(
            (status) => ({ status, error: null }),
            (error: unknown) => ({ status: null, error: String(error) }),
          );
    const made = { id: nextAttempt++, url: to?.url ?? null, why, at, ...result };
    delivery.attempts.push(made);
    return made;
  };
  const track = (work: Promise<unknown>): void => {
    underWay.add(work);
    void work.finally(() => underWay.delete(work));
  };
  const after = (ms: number, work: () => Promise<unknown>): Promise<unknown> =>
    new Promise((resolve) => {
      const timer = setTimeout(() => {
        timers.delete(timer);
        void work().finally(() => resolve(null));
      }, ms);
      timers.add(timer);
    });
  const scatter = (
    delivery: Delivery,
    to: WebhookTarget,
    how: Disorder,
    draw: () => number,
  ): void => {
    const [least, most] = how.delayMs;
    const late = draw() < how.reordered ? most + 50 + 100 * draw() : 0;
    track(after(least + (most - least) * draw() + late, () => attempt(delivery, "first", to)));
    if (draw() < how.duplicates)
      track(
        after(least + 2 * (most - least + 20) * draw(), () => attempt(delivery, "duplicate", to)),
      );
  };

  return {
    emit(event, action, payload) {
      const delivery: Delivery = {
        id: randomUUID(),
        event,
        action,
        payload,
        body: JSON.stringify(payload),
        attempts: [],
      };
      sent.push(delivery);
      const to = target;
      if (to === null || stopped) return delivery;
      if (disorder !== null) scatter(delivery, to, disorder.how, disorder.draw);
      else track((queue = queue.then(() => attempt(delivery, "first", to))));
      return delivery;
    },
    redeliver(id) {
      const delivery = sent.find((entry) => entry.id === id);
      if (delivery === undefined) return Promise.reject(new Error(`there is no delivery ${id}`));
      const again = attempt(delivery, "redelivery");
      track(again);
      return again;
    },
    deliveries: () => [...sent],
    aim: (to) => void (target = to),
    disturb: (how) => void (disorder = how === null ? null : { how, draw: createDraws(how.seed) }),
    idle: async () => {
      while (underWay.size > 0) await Promise.all(underWay);
    },
    stop() {
      stopped = true;
      for (const timer of timers) clearTimeout(timer);
      timers.clear();
      underWay.clear();
    },
  };
}
