import { backupStore } from "@loopwork/store/maintenance";
import { postgresMaintenance } from "../../src/index.ts";

/** Backs a store up, and writes a line for each step, until it is killed. */
const [from = "", to = ""] = process.argv.slice(2);
await backupStore(
  from,
  to,
  (line) => void process.stdout.write(`${line}\n`),
  async () => postgresMaintenance,
);
