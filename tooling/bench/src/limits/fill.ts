import { createHash } from "node:crypto";
import { writeSync } from "node:fs";
import { join } from "node:path";
import type { Inbox, NewDelivery } from "@loopwork/core/ports";

// Leaves an inbox as a machine does that dies with so many deliveries in it: `fill.ts
// loop|loop-file FOLDER COUNT`.
const [name, folder = "", count = "0"] = process.argv.slice(2);
const bodyBytes = 3_000;
const together = 256;

const inbox = await open();
for (let from = 0; from < Number(count); from += together)
  await Promise.all(
    Array.from({ length: Math.min(together, Number(count) - from) }, (_, n) =>
      inbox.append(delivery(from + n)),
    ),
  );
writeSync(1, `filled ${count}\n`); // Another may have killed it before this.
process.kill(process.pid, "SIGKILL");

async function open(): Promise<Inbox> {
  if (name === "loop-file") return (await import("@loopwork/receiver")).openFileInbox(folder);
  return (await import("@loopwork/store")).openStore(`sqlite:${join(folder, "loop.db")}`, {
    instance: "bench",
    now: Date.now,
    maxBacklog: Number.MAX_SAFE_INTEGER,
  });
}

function delivery(n: number): NewDelivery {
  const id = String(n).padStart(12, "0");
  return {
    id,
    source: "webhook",
    event: "issue_comment",
    verified: true,
    receivedAt: Date.now(),
    digest: createHash("sha256").update(id).digest("hex"),
    body: Buffer.alloc(bodyBytes, id),
    ignored: null,
  };
}
