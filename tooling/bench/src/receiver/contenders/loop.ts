import { join } from "node:path";
import { createReceiver } from "@loopwork/receiver";
import { announce, readSettings } from "./contender.ts";
import { slowFlushes } from "./slow-commit.ts";

// Ours as `loop start` runs it: the receiver over the SQLite store, each delivery flushed before
// its answer.
const { secret, directory, flushDelayUs } = readSettings();
if (flushDelayUs > 0) slowFlushes(flushDelayUs);
const { openStore } = await import("@loopwork/store");
// Nothing decides here, so the bound of undecided deliveries would end the measurement.
const inbox = await openStore(`sqlite:${join(directory, "loop.db")}`, {
  instance: "bench",
  now: Date.now,
  maxBacklog: Number.MAX_SAFE_INTEGER,
});
const { address } = await createReceiver({ inbox, secrets: [secret] }).listen(0);
announce(address.port);
