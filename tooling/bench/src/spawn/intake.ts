import { join } from "node:path";
import { createReceiver } from "@loopwork/receiver";
import { openStore } from "@loopwork/store";
import { announce, readSettings } from "../receiver/contenders/contender.ts";
import { nothing, ways } from "./ways.ts";

const spawnsPerSecond = 16;
const residentMiB = 150;

/**
 * Ours as `loop start` runs it, at 150 MiB resident, while children are started beside it in the
 * way of that name; none for `idle`.
 */
export async function serveIntake(way: string): Promise<void> {
  const { secret, directory } = readSettings();
  const inbox = await openStore(`sqlite:${join(directory, "loop.db")}`, {
    instance: "bench",
    now: Date.now,
    maxBacklog: Number.MAX_SAFE_INTEGER,
  });
  const { address } = await createReceiver({ inbox, secrets: [secret] }).listen(0);
  const kept: Buffer[] = [];
  while (process.memoryUsage.rss() < residentMiB * 2 ** 20) kept.push(Buffer.alloc(256 * 1024, 1));
  const start = ways[way]?.().start;
  setInterval(() => {
    for (const piece of kept) piece[0] = 1;
    void start?.(nothing).then(({ input }) => input.end());
  }, 1000 / spawnsPerSecond);
  announce(address.port);
}
