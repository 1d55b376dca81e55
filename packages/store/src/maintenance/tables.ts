/** A table that every driver has, under the same name and with the same columns. */
export type Table = {
  readonly name: string;
  /** The primary key: rows are copied and compared in its order, texts by bytes. */
  readonly key: readonly string[];
  /** Columns that hold JSON. */
  readonly documents: readonly string[];
  /**
   * Columns that only PostgreSQL stores, each with the document and the field that it repeats;
   * SQLite computes them.
   */
  readonly derived: Readonly<Record<string, Field>>;
  /**
   * What the next number follows: the last one that a sequence ever gave, or the highest that
   * stands there, as no row is removed.
   */
  readonly numbered: "by-sequence" | "by-highest" | null;
};

/** A field of a document; dots lead into it. */
export type Field = { readonly document: string; readonly path: string };

const plain = { documents: [], derived: {}, numbered: null } as const;
const record = (path: string): Field => ({ document: "record", path });

/**
 * All of them, what is referred to before what refers to it. A test compares the list with both
 * schemas.
 */
export const tables: readonly Table[] = [
  { ...plain, name: "instance", key: ["name"] },
  { ...plain, name: "delivery", key: ["seq"], numbered: "by-highest" },
  { ...plain, name: "delivery_body", key: ["seq"] },
  { ...plain, name: "cursor", key: ["instance"] },
  {
    ...plain,
    name: "decision",
    key: ["instance", "seq"],
    documents: ["event", "state", "decision"],
  },
  {
    ...plain,
    name: "work_item",
    key: ["ref"],
    documents: ["record"],
    derived: { instance: record("control.instance"), status: record("control.status") },
  },
  {
    ...plain,
    name: "session",
    key: ["work_item", "endpoint"],
    documents: ["record"],
    derived: {
      harness_session_id: record("harnessSessionId"),
      status: record("status"),
      workdir: record("workdir"),
      created_at: record("createdAt"),
    },
  },
  {
    ...plain,
    name: "pr_link",
    key: ["work_item", "pull_request"],
    documents: ["record"],
    derived: { head_sha: record("headSha"), linked_at: record("at") },
  },
  { ...plain, name: "collaborator", key: ["work_item", "login"], documents: ["record"] },
  {
    ...plain,
    name: "ci_attempt",
    key: ["work_item", "pull_request", "check_name"],
    documents: ["record"],
  },
  { ...plain, name: "lane", key: ["number"], documents: ["hold"], numbered: "by-highest" },
  { ...plain, name: "turn", key: ["id"], documents: ["attempt"], numbered: "by-sequence" },
  { ...plain, name: "turn_delivery", key: ["lane", "delivery_id"], documents: ["event"] },
  {
    ...plain,
    name: "effect",
    key: ["id"],
    documents: ["effect"],
    derived: { kind: { document: "effect", path: "kind" } },
    numbered: "by-sequence",
  },
  {
    ...plain,
    name: "event",
    key: ["id"],
    documents: ["fields"],
    derived: { comment: { document: "fields", path: "comment" } },
    numbered: "by-sequence",
  },
  { ...plain, name: "actor", key: ["login"] },
  { ...plain, name: "repository", key: ["host", "id"] },
  { ...plain, name: "poll_cursor", key: ["instance", "repository", "resource"] },
];

/** Tables of one driver's own, made anew by whoever copies into it. */
export const ownTables: ReadonlySet<string> = new Set([
  "schema_version",
  "body_segment",
  "delivery_replay",
  "delivery_replay_end",
  "copy_source",
]);

/** Which columns name a row of another table. */
export const references: readonly {
  readonly table: string;
  readonly columns: readonly string[];
  readonly to: string;
  readonly key: readonly string[];
}[] = [
  { table: "delivery_body", columns: ["seq"], to: "delivery", key: ["seq"] },
  { table: "decision", columns: ["seq"], to: "delivery", key: ["seq"] },
  ...["session", "pr_link", "collaborator", "ci_attempt", "lane", "turn"].map((table) => ({
    table,
    columns: ["work_item"],
    to: "work_item",
    key: ["ref"],
  })),
  { table: "turn", columns: ["lane"], to: "lane", key: ["endpoint"] },
  { table: "turn_delivery", columns: ["turn"], to: "turn", key: ["id"] },
  { table: "turn_delivery", columns: ["lane"], to: "lane", key: ["endpoint"] },
  { table: "turn_delivery", columns: ["delivery_id", "seq"], to: "delivery", key: ["id", "seq"] },
];

/** What a derived column holds for a document: texts and numbers, nothing for all else. */
export function derivedFrom(document: string | null, path: string): string | number | null {
  if (document === null) return null;
  let value: unknown = JSON.parse(document);
  for (const field of path.split("."))
    value =
      typeof value === "object" && value !== null
        ? Object.entries(value).find(([name]) => name === field)?.[1]
        : null;
  return typeof value === "string" || typeof value === "number" ? value : null;
}

/** Where the name of an instance stands; in work items it is in the record. */
export const instanceColumns: readonly { readonly table: string; readonly column: string }[] = [
  { table: "instance", column: "name" },
  ...["cursor", "decision", "lane", "effect", "event", "poll_cursor"].map((table) => ({
    table,
    column: "instance",
  })),
];

/** The record of a work item that now belongs to another name. */
export function ownedBy(record: string, instance: string): string {
  const item: unknown = JSON.parse(record);
  if (
    typeof item !== "object" ||
    item === null ||
    !("control" in item) ||
    typeof item.control !== "object"
  )
    throw new Error("the record of a work item has no control");
  return JSON.stringify({ ...item, control: { ...item.control, instance } });
}
