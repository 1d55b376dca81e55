import { bytesOf, deliveryOf } from "@loopwork/core/testing";
import { openAny } from "../open-any.ts";

/**
 * Appends deliveries with small and large bodies, eight at once, and writes the id of each that was
 * acknowledged, until it is killed.
 */
const store = await openAny(process.argv[2] ?? "", { instance: "writer", now: Date.now });
let next = 0;
await Promise.all(Array.from({ length: 8 }, worker));

async function worker(): Promise<never> {
  for (;;) {
    const number = next;
    next += 1;
    const id = `w-${number}`;
    await store.append(
      deliveryOf(id, { body: bytesOf(id.padEnd(number % 2 === 0 ? 1_000 : 6_000, ".")) }),
    );
    process.stdout.write(`acked ${id}\n`);
  }
}
