import { createLocks } from "../../src/lock.ts";

/** Takes a lock, says `held` or `refused`, and lives on. */
const [dir = "", name = ""] = process.argv.slice(2);
const lock = await createLocks(dir).acquire(name);
process.stdout.write(lock === null ? "refused\n" : "held\n");
setInterval(() => {}, 1_000);
