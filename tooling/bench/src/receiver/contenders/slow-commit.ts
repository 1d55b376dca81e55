import { DatabaseSync, type StatementSync } from "node:sqlite";
import { setTimeout as sleep } from "node:timers/promises";
import { type Disk, realDisk } from "@loopwork/receiver";

/** The real disk with a slower flush. The wait is in whole milliseconds, rounded up: timers have no finer grain. */
export function slowDisk(delayUs: number): Disk {
  return {
    create: async (...args) => {
      const file = await realDisk.create(...args);
      const flush = async (): Promise<void> => {
        await file.flush();
        await sleep(Math.ceil(delayUs / 1000));
      };
      return { ...file, flush };
    },
  };
}

/** Makes every commit of this process hold its thread longer, as a slower flush would. */
export function delaySqliteCommits(delayUs: number): void {
  const prepare = DatabaseSync.prototype.prepare;
  const never = new Int32Array(new SharedArrayBuffer(4));
  DatabaseSync.prototype.prepare = function (this: DatabaseSync, sql: string): StatementSync {
    const statement = prepare.call(this, sql);
    if (sql.trim().toLowerCase() !== "commit") return statement;
    const run = statement.run.bind(statement);
    statement.run = () => {
      const result = run();
      Atomics.wait(never, 0, 0, delayUs / 1000);
      return result;
    };
    return statement;
  };
}
