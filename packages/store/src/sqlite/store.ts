import type { RefText, Store, StoreStats, TurnState } from "@loopwork/core/ports";
import { activityOf } from "./activity.ts";
import { countUndecided } from "./backlog.ts";
import { appending, createAppender } from "./append.ts";
import type { Bodies } from "./bodies.ts";
import { createSqliteCursors } from "./cursors.ts";
import type { Database } from "./database.ts";
import { createSqliteEvents } from "./events.ts";
import { createGroupCommit } from "./group-commit.ts";
import { createSqliteInstances } from "./instances.ts";
import { createSqliteItems } from "./items.ts";
import { laneCounts } from "./lane-rows.ts";
import { createSqliteLanes } from "./lanes.ts";
import { createSqliteLog } from "./log.ts";
import { createSqliteOutbox } from "./outbox.ts";
import { createReplays } from "./replays.ts";
import { createSqliteRepositories } from "./repositories.ts";
import { integer, word } from "../rows.ts";

/** One opened handle. */
export type Sqlite = {
  readonly db: Database;
  readonly bodies: Bodies;
  readonly instance: string;
  readonly now: () => number;
  readonly readonly: boolean;
  /** Leases that this handle gave, as lane and fence. */
  readonly given: Map<RefText, number>;
  readonly counts: { lateWrites: number };
  /** The life that this handle began; null before that. */
  readonly life: { incarnation: string | null };
};

/** The store over an open and migrated database. */
export function createSqliteStore(
  db: Database,
  bodies: Bodies,
  options: {
    readonly instance: string;
    readonly now: () => number;
    readonly maxBacklog: number;
    readonly readonly: boolean;
  },
): Store {
  const sqlite: Sqlite = {
    db,
    bodies,
    instance: options.instance,
    now: options.now,
    readonly: options.readonly,
    given: new Map(),
    counts: { lateWrites: 0 },
    life: { incarnation: null },
  };
  const target = {
    db,
    bodies,
    replays: createReplays(db),
    instance: options.instance,
    maxBacklog: options.maxBacklog,
  };
  const group = createGroupCommit(db, appending(target));
  const appender = createAppender(target, group);
  return {
    append: appender.append,
    log: createSqliteLog(sqlite),
    items: createSqliteItems(sqlite),
    lanes: createSqliteLanes(sqlite),
    outbox: createSqliteOutbox(sqlite),
    events: createSqliteEvents(db, group),
    cursors: createSqliteCursors(sqlite),
    repositories: createSqliteRepositories(sqlite),
    instances: createSqliteInstances(sqlite),
    stats: async () => db.read(() => statsOf(sqlite)),
    activity: ({ since, stepMs }) => activityOf(db, since, stepMs),
    listen: () => () => {},
    close: async () => {
      await appender.close();
      await group.close();
      bodies.close();
      // A failure was told to those who waited for it.
      await db.durable().catch(() => {});
      db.close();
    },
  };
}

function statsOf(sqlite: Sqlite): StoreStats {
  const { db, instance, counts } = sqlite;
  const turns: Record<TurnState, number> = {
    ready: 0,
    injecting: 0,
    done: 0,
    failed: 0,
    uncertain: 0,
    dropped: 0,
  };
  for (const row of db.all(
    "select turn.state, count(*) as number from turn join lane on lane.endpoint = turn.lane where lane.instance = ? group by turn.state",
    instance,
  ))
    turns[word<TurnState>(row, "state")] = integer(row, "number");
  const pending = db.get(
    "select count(*) as number from effect where instance = ? and state = 'pending'",
    instance,
  );
  const { held, leased } = laneCounts(sqlite);
  return {
    undecided: countUndecided(db, instance),
    turns,
    lanesHeld: held,
    lanesLeased: leased,
    pendingEffects: pending === null ? 0 : integer(pending, "number"),
    lateWrites: counts.lateWrites,
  };
}
