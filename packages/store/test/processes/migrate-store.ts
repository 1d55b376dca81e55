import { migrateStore } from "../../src/maintenance/index.ts";

/** Copies a store, and writes a line for each step, until it is killed. */
const [from = "", to = ""] = process.argv.slice(2);
const { resumed } = await migrateStore(from, to, { leaveDamaged: false, startOver: false, instance: null, progress: (line) => void process.stdout.write(`${line}\n`) });
process.stdout.write(`done ${String(resumed)}\n`);
