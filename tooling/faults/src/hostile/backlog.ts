import { existsSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { setTimeout as sleep } from "node:timers/promises";

/** How many deliveries are stored and not decided yet, looked at now and then. */
export type Backlog = {
  undecided(): number;
  /** Resolves to whether everything was decided, and every turn at its end, in so many milliseconds; false at once when nobody is there to do it. */ settled(
    withinMs: number,
    isAlive: () => boolean,
  ): Promise<boolean>;
  stop(): void;
};

const everyMs = 150;

/** Looks at the tables of a store from another process, which disturbs nobody who writes. */
export function watchBacklog(file: string): Backlog {
  let db: DatabaseSync | null = null;
  let undecided = 0;
  const look = (): number => {
    if (db === null && existsSync(file)) db = new DatabaseSync(file, { readOnly: true });
    const row = db
      ?.prepare(
        "select coalesce((select max(seq) from delivery), 0) - coalesce((select max(seq) from cursor), 0) as waiting",
      )
      .get();
    return Number(row?.["waiting"] ?? 0);
  };
  const turns = (): number =>
    Number(
      db?.prepare("select count(*) as n from turn where state in ('ready', 'injecting')").get()?.[
        "n"
      ] ?? 0,
    );
  const timer = setInterval(() => {
    try {
      undecided = look();
    } catch {
      undecided = 0; // It is not there yet, or gone with the service.
    }
  }, everyMs);
  return {
    undecided: () => undecided,
    async settled(withinMs, isAlive) {
      for (
        const until = performance.now() + withinMs;
        performance.now() < until && isAlive();
        await sleep(everyMs)
      )
        if (look() === 0 && turns() === 0) return true;
      return false;
    },
    stop() {
      clearInterval(timer);
      db?.close();
    },
  };
}
