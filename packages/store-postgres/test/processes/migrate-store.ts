import { migrateStore } from "../../../store/src/maintenance/migrate-store.ts";
import { postgresMaintenance } from "../../src/index.ts";

/**
 * Copies a store, and writes a line for each step, until it is killed; `in-place` straight to where
 * services look.
 */
const [from = "", to = "", guard = ""] = process.argv.slice(2);
const { resumed } = await migrateStore(
  from,
  to,
  {
    leaveDamaged: false,
    startOver: false,
    instance: null,
    loadPostgres: async () => postgresMaintenance,
    progress: (line) => void process.stdout.write(`${line}\n`),
  },
  { inPlace: guard === "in-place" },
);
process.stdout.write(`done ${String(resumed)}\n`);
