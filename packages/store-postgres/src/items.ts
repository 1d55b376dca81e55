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
import { document, documentOrNull, elsewhere, type Row, text, word } from "@loopwork/store/driver";
import { type Child, saveChildren } from "./children.ts";
import type { Tx, Value } from "./database.ts";
import { appendLines } from "./events.ts";
import { lockItem } from "./locks.ts";
import { isPresentLife } from "./present-life.ts";
import type { Postgres } from "./store.ts";

const sessions: Child<Session> = {
  table: "session",
  key: ["endpoint"],
  keyOf: (each) => [each.endpoint],
  asked: ["harness_session_id", "status", "workdir", "created_at"],
  askedOf: (each) => [each.harnessSessionId, each.status, each.workdir, each.createdAt],
};
const pullRequests: Child<PullRequestLink> = {
  table: "pr_link",
  key: ["pull_request"],
  keyOf: (each) => [each.pullRequest],
  asked: ["head_sha", "linked_at"],
  askedOf: (each) => [each.headSha, each.at],
};
const collaborators: Child<Collaborator> = {
  table: "collaborator",
  key: ["login"],
  keyOf: (each) => [each.login],
  asked: [],
  askedOf: () => [],
};
const ciAttempts: Child<CiAttempt> = {
  table: "ci_attempt",
  key: ["pull_request", "check_name"],
  keyOf: (each) => [each.pullRequest, each.check],
  asked: [],
  askedOf: () => [],
};

/** Work items as tables: each list of the state is a table of its own. */
export function createPostgresItems(postgres: Postgres): Items {
  const { db, instance, counts } = postgres;
  return {
    load: (ref) => db.read((tx) => loadItem(tx, ref)),
    update: (ref, step) =>
      db.write((tx) => lockItem(tx, ref).then(() => update(tx, instance, ref, step))),
    updateOwn: async (ref, step) => {
      const saved = await db.write(async (tx) => {
        await lockItem(tx, ref);
        const isOwn =
          (await isPresentLife(tx, postgres)) &&
          (await tx.get(...elsewhere(instance, ref))) === null;
        return isOwn ? update(tx, instance, ref, step) : null;
      });
      if (saved === null) counts.lateWrites += 1;
      return saved;
    },
    list: () =>
      db.read(async (tx) => loadAll(tx, await tx.all("select ref from work_item order by ref"))),
    page: (query) => db.read((tx) => pageOf(tx, query)),
    knowsRepository: (repository) => db.read((tx) => isKnown(tx, refPrefix(repository))),
    linkedTo: (pullRequest) =>
      db.read(async (tx) =>
        (
          await tx.all(
            "select work_item from pr_link where pull_request = ? order by linked_at, work_item",
            pullRequest,
          )
        ).map((row) => word<RefText>(row, "work_item")),
      ),
    linksBySha: (headSha) =>
      db.read(async (tx) =>
        (
          await tx.all(
            "select work_item, record from pr_link where head_sha = ? order by work_item, position",
            headSha,
          )
        ).map((row) => ({
          workItem: word<RefText>(row, "work_item"),
          link: document<PullRequestLink>(row, "record"),
        })),
      ),
    ownerOfEndpoint: (endpoint) =>
      db.read(async (tx) => (await sessionWhere(tx, "endpoint", endpoint))?.workItem ?? null),
    sessionByHarnessId: (id) => db.read((tx) => sessionWhere(tx, "harness_session_id", id)),
    pinnedActor: (login) =>
      db.read(async (tx) => {
        const row = await tx.get("select id from actor where login = ?", foldLogin(login));
        return row === null ? null : text(row, "id");
      }),
    pinnedTo: (id) =>
      db.read(async (tx) =>
        (await tx.all("select login from actor where id = ? order by login", id)).map((row) =>
          text(row, "login"),
        ),
      ),
    pinActor: ({ login, id }) =>
      db.write(async (tx) => {
        await tx.run(
          "insert into actor (login, id, first_seen) values (?, ?, ?) on conflict do nothing",
          foldLogin(login),
          id,
          postgres.now(),
        );
        const row = await tx.get("select id from actor where login = ?", foldLogin(login));
        return row === null ? id : text(row, "id");
      }),
    unpinActor: (login, lines) =>
      db.write(async (tx) => {
        const gone = (await tx.run("delete from actor where login = ?", foldLogin(login))) > 0;
        if (gone) await appendLines(tx, lines);
        return gone;
      }),
  };
}

/** The caller holds the item's lock. */
async function update(
  tx: Tx,
  instance: string,
  ref: RefText,
  step: Parameters<Items["update"]>[1],
): Promise<ItemState> {
  const before = await loadItem(tx, ref);
  const { after, lines } = step(before);
  await saveItem(tx, instance, ref, before, after);
  const saved = await loadItem(tx, ref);
  await appendLines(tx, lines);
  return saved;
}

const isHeld =
  "exists (select 1 from lane where lane.work_item = work_item.ref and lane.hold is not null)";
const fits: Readonly<Record<"waiting" | "managed" | "any", string>> = {
  any: "record is not null",
  waiting: `(${isHeld} or (record::json ->> 'closeDeferred') = 'true' or record::json ->> 'startHeld' is not null or record::json #>> '{graph,waits}' is not null or exists (select 1 from session where session.work_item = work_item.ref and session.status = 'active' and session.record::json ->> 'asked' is not null))`,
  managed:
    "(status <> 'idle' or instance is not null or exists (select 1 from session where session.work_item = work_item.ref))",
};

/** Only what is on the page is loaded. */
async function pageOf(
  tx: Tx,
  { after, limit, status, held, only }: ItemQuery,
): Promise<readonly ItemState[]> {
  const filters = [
    "ref > ?",
    fits[only ?? "any"],
    ...(status === undefined ? [] : ["status = ?"]),
    ...(held === undefined ? [] : [`${isHeld} = ?`]),
  ];
  const values: readonly Value[] = [
    after ?? "",
    ...(status === undefined ? [] : [status]),
    ...(held === undefined ? [] : [held]),
  ];
  return loadAll(
    tx,
    await tx.all(
      `select ref from work_item where ${filters.join(" and ")} order by ref limit ?`,
      ...values,
      limit,
    ),
  );
}

async function loadAll(tx: Tx, rows: readonly Row[]): Promise<readonly ItemState[]> {
  const items: ItemState[] = [];
  for (const row of rows) items.push(await loadItem(tx, word<RefText>(row, "ref")));
  return items;
}

/** One question for all tables: each answer is a way to the server and back. */
export async function loadItem(tx: Tx, ref: RefText): Promise<ItemState> {
  const rows = await tx.all(
    `select 'item' as part, 0::bigint as position, null as endpoint, record from work_item where ref = ?
     union all select 'session', position, null, record from session where work_item = ?
     union all select 'pull-request', position, null, record from pr_link where work_item = ?
     union all select 'collaborator', position, null, record from collaborator where work_item = ?
     union all select 'check', position, null, record from ci_attempt where work_item = ?
     union all select 'lane', number, endpoint, hold from lane where work_item = ?
     order by part, position`,
    ...Array.from({ length: 6 }, () => ref),
  );
  const part = (name: string): readonly Row[] => rows.filter((row) => row["part"] === name);
  const [item] = part("item");
  return {
    workItem: item === undefined ? null : documentOrNull(item, "record"),
    sessions: part("session").map((row) => document<Session>(row, "record")),
    pullRequests: part("pull-request").map((row) => document<PullRequestLink>(row, "record")),
    collaborators: part("collaborator").map((row) => document<Collaborator>(row, "record")),
    lanes: part("lane").map((row): LaneState => ({
      endpoint: word<RefText>(row, "endpoint"),
      hold: documentOrNull(row, "record"),
    })),
    ciAttempts: part("check").map((row) => document<CiAttempt>(row, "record")),
  };
}

/**
 * Writes what differs between the state as it was loaded in this transaction and the state after;
 * most items never have any. The caller holds the item's lock.
 */
export async function saveItem(
  tx: Tx,
  instance: string,
  ref: RefText,
  before: ItemState,
  after: ItemState,
): Promise<void> {
  if (isEmptyItem(before) && isEmptyItem(after)) return;
  const { workItem } = after;
  await tx.run(
    "insert into work_item (ref, record, instance, status) values (?, ?, ?, ?) on conflict (ref) do update set record = excluded.record, instance = excluded.instance, status = excluded.status",
    ref,
    workItem === null ? null : JSON.stringify(workItem),
    workItem?.control.instance ?? null,
    workItem?.control.status ?? null,
  );
  await saveChildren(tx, sessions, ref, before.sessions, after.sessions);
  await saveChildren(tx, pullRequests, ref, before.pullRequests, after.pullRequests);
  await saveChildren(tx, collaborators, ref, before.collaborators, after.collaborators);
  await saveChildren(tx, ciAttempts, ref, before.ciAttempts, after.ciAttempts);
  await saveLanes(tx, instance, ref, before.lanes, after.lanes);
}

/**
 * Refs of one repository stand side by side in each of these indexes: `$` is the character after
 * `#`.
 */
async function isKnown(tx: Tx, prefix: string): Promise<boolean> {
  const [from, end] = [prefix, `${prefix.slice(0, -1)}$`];
  const found = await tx.get(
    `select exists (select 1 from work_item where ref >= ? and ref < ? and record is not null)
         or exists (select 1 from session where work_item >= ? and work_item < ?)
         or exists (select 1 from session where endpoint >= ? and endpoint < ?)
         or exists (select 1 from pr_link where pull_request >= ? and pull_request < ?) as known`,
    ...Array.from({ length: 4 }, () => [from, end]).flat(),
  );
  return found?.["known"] === true;
}

/** Makes sure that the item has a row, for what refers to it. */
export async function ensureItem(tx: Tx, ref: RefText): Promise<void> {
  await tx.run("insert into work_item (ref, record) values (?, null) on conflict do nothing", ref);
}

export async function ensureLane(
  tx: Tx,
  instance: string,
  ref: RefText,
  endpoint: RefText,
): Promise<void> {
  await tx.run(
    "insert into lane (endpoint, work_item, instance) values (?, ?, ?) on conflict do nothing",
    endpoint,
    ref,
    instance,
  );
}

/** A lane that is no longer listed is open; its row stays, for its fence. */
async function saveLanes(
  tx: Tx,
  instance: string,
  ref: RefText,
  before: readonly LaneState[],
  after: readonly LaneState[],
): Promise<void> {
  for (const { endpoint } of before) {
    if (!after.some((each) => each.endpoint === endpoint))
      await tx.run("update lane set hold = null where endpoint = ? and hold is not null", endpoint);
  }
  for (const { endpoint, hold } of after) {
    const was = before.find((each) => each.endpoint === endpoint);
    if (was !== undefined && JSON.stringify(was.hold) === JSON.stringify(hold)) continue;
    await ensureLane(tx, instance, ref, endpoint);
    await tx.run(
      "update lane set hold = ?, work_item = ? where endpoint = ?",
      hold === null ? null : JSON.stringify(hold),
      ref,
      endpoint,
    );
  }
}

/** Of several sessions an active one before a closed one, then the newest. */
async function sessionWhere(
  tx: Tx,
  column: "endpoint" | "harness_session_id",
  value: string,
): Promise<Session | null> {
  const row = await tx.get(
    `select record from session where ${column} = ? order by status = 'closed', created_at desc limit 1`,
    value,
  );
  return row === null ? null : document<Session>(row, "record");
}
