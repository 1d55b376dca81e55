import { formatSignature } from "@loopwork/receiver";
import { type Attempt, type Delivery, timeNow } from "@loopwork-tooling/practice-host/world";
import type { Sent } from "../host/client.ts";
import { webhookUrl } from "../host/host.ts";
import { secret } from "./service.ts";
import type { World } from "./world.ts";

/** The way of webhooks from the host to the receiver. */
export type Travel = Sent & {
  send(delivery: Delivery): void;
  /**
   * Ids that the receiver has answered for with 202, each with the id under which it is kept:
   * another one for what was taken for a repetition.
   */
  readonly acknowledged: ReadonlyMap<string, string>;
  /** When somebody was last sent something and nobody answered; null for never. */
  lastUnanswered(): number | null;
  underWay(): number;
};

/**
 * As on the real host, a delivery that failed is not sent again by itself; some travel twice, some
 * not at all, some overtake others.
 */
export function createTravel(worldOf: () => World): Travel {
  const acknowledged = new Map<string, string>();
  const all: Delivery[] = [];
  let [underWay, attempts] = [0, 0];
  let lastUnanswered: number | null = null;

  const leave = (delivery: Delivery, why: Attempt["why"], slowestMs: number): void => {
    const { scheduler, random, host } = worldOf();
    const at = timeNow(host.state);
    const ended = (status: number | null): void => {
      underWay -= 1;
      if (status === null) lastUnanswered = scheduler.now();
      delivery.attempts.push({
        id: ++attempts,
        url: webhookUrl,
        why,
        at,
        status,
        error: status === null ? "no answer" : null,
      });
    };
    underWay += 1;
    scheduler.after(random.int(1, slowestMs), () => arrive(delivery, ended));
  };

  function arrive(delivery: Delivery, ended: (status: number | null) => void): void {
    const { lives, trace, scheduler } = worldOf();
    const service = lives.current();
    if (service === null) {
      trace.say(`nobody takes ${delivery.event} ${delivery.id}`);
      return ended(null);
    }
    const body = Buffer.from(delivery.body);
    const admitted = service.accept.admit(
      [
        "content-type",
        "application/json",
        "x-github-delivery",
        delivery.id,
        "x-github-event",
        delivery.event,
        "x-hub-signature-256",
        formatSignature(body, secret),
      ],
      { remoteAddress: "127.0.0.1", httpVersion: "1.1" },
    );
    if (admitted.kind === "refused")
      return worldOf().fault(new Error(`the receiver refused ${delivery.event}: ${admitted.why}`));
    let answered = false;
    void service.accept.deliver(admitted, body).then((outcome) => {
      if (outcome.kind === "refused")
        return worldOf().fault(new Error(`the receiver refused ${delivery.event}: ${outcome.why}`));
      answered = true;
      ended(202);
      acknowledged.set(delivery.id, outcome.kind === "duplicate" ? outcome.of : delivery.id);
      if (outcome.kind === "duplicate" && !repeats(delivery, outcome.of))
        return worldOf().fault(
          new Error(
            `the receiver took ${delivery.event} ${delivery.id} for a repetition of ${outcome.of}, which it is not`,
          ),
        );
      service.wired.dispatcher.poke();
    });
    // A connection that broke with the process: the host waits no longer.
    const look = (): void => {
      if (answered) return;
      if (service.life.alive()) scheduler.after(100, look);
      else ended(null);
    };
    scheduler.after(100, look);
  }

  /**
   * Whether it is the same delivery, or another of the same event and bytes. What was polled has
   * other bytes, so that nothing which travels repeats it.
   */
  function repeats({ id, event, body }: Delivery, of: string): boolean {
    const first = all.find((each) => each.id === of);
    return id === of || (first !== undefined && first.event === event && first.body === body);
  }

  return {
    acknowledged,
    deliveries: () => all,
    lastUnanswered: () => lastUnanswered,
    underWay: () => underWay,
    async redeliver(id) {
      const delivery = all.find((each) => each.id === id);
      if (delivery === undefined) throw new Error(`nothing was sent as ${id}`);
      leave(delivery, "redelivery", 50);
      return { id: 0, url: webhookUrl, why: "redelivery", at: "", status: null, error: null };
    },
    send(delivery) {
      const { random, trace, trouble, host } = worldOf();
      all.push(delivery);
      const { repeated, slowestMs, lost } = trouble.webhooks;
      if (random.chance(lost)) {
        trace.say(`lost on the way: ${delivery.event} ${delivery.action} ${delivery.id}`);
        delivery.attempts.push({
          id: ++attempts,
          url: webhookUrl,
          why: "first",
          at: timeNow(host.state),
          status: null,
          error: "no answer",
        });
      } else leave(delivery, "first", slowestMs);
      if (random.chance(repeated)) leave(delivery, "duplicate", slowestMs * 2);
    },
  };
}
