import type { RefText, Store, StoreStats, TurnState } from "@loopwork/core/ports";
import { integer, word } from "@loopwork/store/driver";
import { activityOf } from "./activity.ts";
import { createPostgresAppender } from "./append.ts";
import { countUndecided } from "./backlog.ts";
import { createPostgresCursors } from "./cursors.ts";
import type { Database, Tx } from "./database.ts";
import { createPostgresEvents } from "./events.ts";
import { createPostgresInstances } from "./instances.ts";
import { createPostgresItems } from "./items.ts";
import { laneCounts } from "./lane-rows.ts";
import { createPostgresLanes } from "./lanes.ts";
import { createPostgresLog } from "./log.ts";
import type { Listening } from "./listen.ts";
import { createPostgresOutbox } from "./outbox.ts";
import { createPostgresRepositories } from "./repositories.ts";

/** One opened handle. */
export type Postgres = {
  readonly db: Database;
  readonly instance: string;
  readonly now: () => number;
  /** Leases that this handle gave, as lane and fence. */
  readonly given: Map<RefText, number>;
  readonly counts: { lateWrites: number };
  /** The life that this handle began; null before that. */
  readonly life: { incarnation: string | null };
};

/** The store over a server whose schema is the one of this program. */
export function createPostgresStore(
  db: Database,
  listening: Listening,
  {
    instance,
    now,
    maxBacklog,
  }: { readonly instance: string; readonly now: () => number; readonly maxBacklog: number },
): Store {
  const postgres: Postgres = {
    db,
    instance,
    now,
    given: new Map(),
    counts: { lateWrites: 0 },
    life: { incarnation: null },
  };
  const appender = createPostgresAppender({ db, instance, maxBacklog });
  return {
    append: appender.append,
    log: createPostgresLog(postgres),
    items: createPostgresItems(postgres),
    lanes: createPostgresLanes(postgres),
    outbox: createPostgresOutbox(postgres),
    events: createPostgresEvents(db),
    cursors: createPostgresCursors(postgres),
    repositories: createPostgresRepositories(postgres),
    instances: createPostgresInstances(postgres),
    stats: () => db.read((tx) => statsOf(tx, postgres)),
    activity: ({ since, stepMs }) => db.read((tx) => activityOf(tx, since, stepMs)),
    listen: listening.add,
    close: async () => {
      await listening.close();
      await appender.close();
      await db.close();
    },
  };
}

async function statsOf(tx: Tx, { instance, now, counts }: Postgres): Promise<StoreStats> {
  const turns: Record<TurnState, number> = {
    ready: 0,
    injecting: 0,
    done: 0,
    failed: 0,
    uncertain: 0,
    dropped: 0,
  };
  for (const row of await tx.all(
    "select turn.state, count(*) as number from turn join lane on lane.endpoint = turn.lane where lane.instance = ? group by turn.state",
    instance,
  ))
    turns[word<TurnState>(row, "state")] = integer(row, "number");
  const pending = await tx.get(
    "select count(*) as number from effect where instance = ? and state = 'pending'",
    instance,
  );
  const { held, leased } = await laneCounts(tx, instance, now());
  return {
    undecided: await countUndecided(tx, instance),
    turns,
    lanesHeld: held,
    lanesLeased: leased,
    pendingEffects: pending === null ? 0 : integer(pending, "number"),
    lateWrites: counts.lateWrites,
  };
}
