import type { Acceptance } from "@loopwork/core/ports";
import { bytesOf, deliveryOf } from "@loopwork/core/testing";
import { openStore } from "../../src/index.ts";

/**
 * Appends deliveries, 16 at once, until it is killed or told to stop after `count`, and writes the
 * id of each that was acknowledged, and how. With `early` the guard is off: it acknowledges before
 * the commit.
 */
const [file = "", prefix = "", mode = "", count = "0"] = process.argv.slice(2);
const store = await openStore(`sqlite:${file}`, { instance: "default", now: Date.now });
const append = mode === "early" ? appendEarly : store.append;
let next = 0;
process.stdout.write("ready\n");
const outcomes = await Promise.all(Array.from({ length: 16 }, worker));
process.stdout.write(`failed ${outcomes.find((outcome) => outcome !== "") ?? ""}\n`);
const reads = await store.log.undecided(1).then(
  () => "reads",
  (error: unknown) => (error instanceof Error && "code" in error ? String(error.code) : ""),
);
process.stdout.write(`then ${reads}\n`);

async function worker(): Promise<string> {
  while (count === "0" || next < Number(count)) {
    const id = `${prefix}-${next}`;
    next += 1;
    let answer: Acceptance;
    try {
      answer = await append(
        deliveryOf(id, { body: bytesOf(id.padEnd(next % 2 === 0 ? 1_000 : 6_000, ".")) }),
      );
    } catch (error) {
      return error instanceof Error ? error.message : String(error);
    }
    process.stdout.write(`acked ${id} ${answer.kind}\n`);
  }
  return "";
}

async function appendEarly(delivery: ReturnType<typeof deliveryOf>): Promise<Acceptance> {
  setTimeout(() => void store.append(delivery), 3);
  await new Promise((resolve) => setImmediate(resolve));
  return { kind: "accepted", seq: 1 };
}
