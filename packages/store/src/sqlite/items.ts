import {
  type CiAttempt,
  type Collaborator,
  foldLogin,
  isEmptyItem,
  type ItemQuery,
  type Items,
  type ItemState,
  type LaneState,
  type PullRequestLink,
  refPrefix,
  type RefText,
  type Session,
} from "@loopwork/core/ports";
import { type Child, loadChildren, saveChildren } from "./children.ts";
import type { Database } from "./database.ts";
import { elsewhere } from "../model/ownership.ts";
import { appendLines } from "./events.ts";
import { isPresentLife } from "./present-life.ts";
import { document, documentOrNull, text, word } from "../rows.ts";
import type { Sqlite } from "./store.ts";

const sessions: Child<Session> = {
  table: "session",
  key: ["endpoint"],
  keyOf: (each) => [each.endpoint],
};
const pullRequests: Child<PullRequestLink> = {
  table: "pr_link",
  key: ["pull_request"],
  keyOf: (each) => [each.pullRequest],
};
const collaborators: Child<Collaborator> = {
  table: "collaborator",
  key: ["login"],
  keyOf: (each) => [each.login],
};
const ciAttempts: Child<CiAttempt> = {
  table: "ci_attempt",
  key: ["pull_request", "check_name"],
  keyOf: (each) => [each.pullRequest, each.check],
};

/** Work items as tables: each list of the state is a table of its own. */
export function createSqliteItems(sqlite: Sqlite): Items {
  const { db, instance, counts } = sqlite;
  return {
    load: async (ref) => db.read(() => loadItem(db, ref)),
    update: (ref, step) => db.durably(() => update(sqlite, ref, step)),
    updateOwn: (ref, step) =>
      db.durably(() => {
        if (isPresentLife(sqlite) && db.get(...elsewhere(instance, ref)) === null)
          return update(sqlite, ref, step);
        counts.lateWrites += 1;
        return null;
      }),
    list: async () => db.read(() => listItems(db)),
    page: async (query) => db.read(() => pageOf(db, query)),
    knowsRepository: async (repository) => db.read(() => isKnown(db, refPrefix(repository))),
    linkedTo: async (pullRequest) =>
      db.read(() =>
        db
          .all(
            "select work_item from pr_link where pull_request = ? order by linked_at, work_item",
            pullRequest,
          )
          .map((row) => word<RefText>(row, "work_item")),
      ),
    linksBySha: async (headSha) =>
      db.read(() =>
        db
          .all(
            "select work_item, record from pr_link where head_sha = ? order by work_item, position",
            headSha,
          )
          .map((row) => ({
            workItem: word<RefText>(row, "work_item"),
            link: document<PullRequestLink>(row, "record"),
          })),
      ),
    ownerOfEndpoint: async (endpoint) =>
      db.read(() => sessionWhere(db, "endpoint", endpoint)?.workItem ?? null),
    sessionByHarnessId: async (id) => db.read(() => sessionWhere(db, "harness_session_id", id)),
    pinnedActor: async (login) =>
      db.read(() => {
        const row = db.get("select id from actor where login = ?", foldLogin(login));
        return row === null ? null : text(row, "id");
      }),
    pinnedTo: async (id) =>
      db.read(() =>
        db
          .all("select login from actor where id = ? order by login", id)
          .map((row) => text(row, "login")),
      ),
    pinActor: ({ login, id }) =>
      db.durably(() => {
        db.run(
          "insert into actor (login, id, first_seen) values (?, ?, ?) on conflict do nothing",
          foldLogin(login),
          id,
          sqlite.now(),
        );
        const row = db.get("select id from actor where login = ?", foldLogin(login));
        return row === null ? id : text(row, "id");
      }),
    unpinActor: (login, lines) =>
      db.durably(() => {
        const gone = db.run("delete from actor where login = ?", foldLogin(login)).changes > 0;
        if (gone) appendLines(db, lines);
        return gone;
      }),
  };
}

function update(sqlite: Sqlite, ref: RefText, step: Parameters<Items["update"]>[1]): ItemState {
  const { db } = sqlite;
  const before = loadItem(db, ref);
  const { after, lines } = step(before);
  saveItem(sqlite, ref, before, after);
  appendLines(db, lines);
  return loadItem(db, ref);
}

const isHeld =
  "exists (select 1 from lane where lane.work_item = work_item.ref and lane.hold is not null)";
const fits: Readonly<Record<"waiting" | "managed" | "any", string>> = {
  any: "record is not null",
  waiting: `(${isHeld} or record ->> '$.closeDeferred' or record ->> '$.startHeld' is not null or record ->> '$.graph.waits' is not null or exists (select 1 from session where session.work_item = work_item.ref and session.status = 'active' and session.record ->> '$.asked' is not null))`,
  managed:
    "(status <> 'idle' or instance is not null or exists (select 1 from session where session.work_item = work_item.ref))",
};

/** Only what is on the page is loaded. */
function pageOf(
  db: Database,
  { after, limit, status, held, only }: ItemQuery,
): readonly ItemState[] {
  const rows = db.all(
    `select ref from work_item where ref > ?1 and ${fits[only ?? "any"]} and (?2 is null or status = ?2) and (?3 is null or ${isHeld} = ?3) order by ref limit ?4`,
    after ?? "",
    status ?? null,
    held === undefined ? null : Number(held),
    limit,
  );
  return rows.map((row) => loadItem(db, word<RefText>(row, "ref")));
}

export function listItems(db: Database): readonly ItemState[] {
  return db
    .all("select ref from work_item order by ref")
    .map((row) => loadItem(db, word<RefText>(row, "ref")));
}

export function loadItem(db: Database, ref: RefText): ItemState {
  const row = db.get("select record from work_item where ref = ?", ref);
  return {
    workItem: row === null ? null : documentOrNull(row, "record"),
    sessions: loadChildren(db, sessions, ref),
    pullRequests: loadChildren(db, pullRequests, ref),
    collaborators: loadChildren(db, collaborators, ref),
    lanes: loadLanes(db, ref),
    ciAttempts: loadChildren(db, ciAttempts, ref),
  };
}

/**
 * Writes what differs between the state as it was loaded in this transaction and the state after;
 * most items never have any.
 */
export function saveItem(
  { db, instance }: Sqlite,
  ref: RefText,
  before: ItemState,
  after: ItemState,
): void {
  if (isEmptyItem(before) && isEmptyItem(after)) return;
  const record = after.workItem === null ? null : JSON.stringify(after.workItem);
  db.run(
    "insert into work_item (ref, record) values (?, ?) on conflict (ref) do update set record = excluded.record",
    ref,
    record,
  );
  saveChildren(db, sessions, ref, before.sessions, after.sessions);
  saveChildren(db, pullRequests, ref, before.pullRequests, after.pullRequests);
  saveChildren(db, collaborators, ref, before.collaborators, after.collaborators);
  saveChildren(db, ciAttempts, ref, before.ciAttempts, after.ciAttempts);
  saveLanes(db, instance, ref, before.lanes, after.lanes);
}

/**
 * Refs of one repository stand side by side in each of these indexes: `$` is the character after
 * `#`.
 */
function isKnown(db: Database, prefix: string): boolean {
  const [from, end] = [prefix, `${prefix.slice(0, -1)}$`];
  const found = db.get(
    `select exists (select 1 from work_item where ref >= ?1 and ref < ?2 and record is not null)
         or exists (select 1 from session where work_item >= ?1 and work_item < ?2)
         or exists (select 1 from session where endpoint >= ?1 and endpoint < ?2)
         or exists (select 1 from pr_link where pull_request >= ?1 and pull_request < ?2) as known`,
    from,
    end,
  );
  return found?.["known"] === 1;
}

/** Makes sure that the item has a row, for what refers to it. */
export function ensureItem(db: Database, ref: RefText): void {
  db.run("insert into work_item (ref, record) values (?, null) on conflict do nothing", ref);
}

export function ensureLane(db: Database, instance: string, ref: RefText, endpoint: RefText): void {
  db.run(
    "insert into lane (endpoint, work_item, instance) values (?, ?, ?) on conflict do nothing",
    endpoint,
    ref,
    instance,
  );
}

function loadLanes(db: Database, ref: RefText): readonly LaneState[] {
  return db
    .all("select endpoint, hold from lane where work_item = ? order by number", ref)
    .map((row) => ({
      endpoint: word<RefText>(row, "endpoint"),
      hold: documentOrNull(row, "hold"),
    }));
}

/** A lane that is no longer listed is open; its row stays, for its fence. */
function saveLanes(
  db: Database,
  instance: string,
  ref: RefText,
  before: readonly LaneState[],
  after: readonly LaneState[],
): void {
  for (const { endpoint } of before) {
    if (!after.some((each) => each.endpoint === endpoint))
      db.run("update lane set hold = null where endpoint = ? and hold is not null", endpoint);
  }
  for (const { endpoint, hold } of after) {
    const was = before.find((each) => each.endpoint === endpoint);
    if (was !== undefined && JSON.stringify(was.hold) === JSON.stringify(hold)) continue;
    ensureLane(db, instance, ref, endpoint);
    db.run(
      "update lane set hold = ?, work_item = ? where endpoint = ?",
      hold === null ? null : JSON.stringify(hold),
      ref,
      endpoint,
    );
  }
}

/** Of several sessions an active one before a closed one, then the newest. */
function sessionWhere(
  db: Database,
  column: "endpoint" | "harness_session_id",
  value: string,
): Session | null {
  const row = db.get(
    `select record from session where ${column} = ? order by status = 'closed', created_at desc limit 1`,
    value,
  );
  return row === null ? null : document<Session>(row, "record");
}
