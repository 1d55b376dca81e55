import { setTimeout as sleep } from "node:timers/promises";

/** Waits for a service that has been started to answer there; throws when it has not after 20 s. */
export async function untilUp(healthUrl: string): Promise<void> {
  const until = performance.now() + 20_000;
  while (performance.now() < until) {
    if (
      await fetch(healthUrl).then(
        ({ ok }) => ok,
        () => false,
      )
    )
      return;
    await sleep(20);
  }
  throw new Error("the service did not come up within 20 s");
}
