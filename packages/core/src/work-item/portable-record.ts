import { type Account, foldLogin, isLogin } from "../accounts/account.ts";
import { isJsonObject, type JsonObject } from "../delivery/admit.ts";
import { emptyGraphRecord, type GraphRecord } from "../graph/record.ts";
import type { Editors } from "../normalise/event.ts";
import {
  type ClockTime,
  type Collaborator,
  type ControlRecord,
  type ControlSource,
  type ControlStatus,
  emptyItemState,
  type ItemState,
  type PullRequestLink,
  type Revocation,
  type Spend,
  type StartText,
  type WorkItem,
} from "./records.ts";
import { formatRef, refGrammar, type RefText, toRefText } from "./ref.ts";

/**
 * The portable record as plain data, ready to be written as YAML or JSON. It holds what must
 * survive a cleanup and a move to another machine: the work item with what people asked for, its
 * pull requests and its collaborators. It holds no session, lane or path. Times are milliseconds
 * since 1970.
 */
export type PortableRecord = {
  readonly version: 1;
  readonly workItem: WorkItem;
  readonly pullRequests: readonly PullRequestLink[];
  readonly collaborators: readonly Collaborator[];
};

/** One thing that is wrong with a record: where, and what is expected there. */
export type RecordProblem = { readonly path: string; readonly message: string };

export type ParsedRecord =
  | { readonly ok: true; readonly item: ItemState }
  | { readonly ok: false; readonly problems: readonly RecordProblem[] };

/**
 * The portable part of what is known; null while nothing about the item had to be remembered. Its
 * keys stand in one order, whatever happened to the item first, so that the same record is the same
 * text.
 */
export function formatPortableRecord(item: ItemState): PortableRecord | null {
  const { workItem: record, pullRequests, collaborators } = item;
  if (record === null) return null;
  const { steered: _steered, ...workItem } = record; // Names a delivery of this store, and only lanes of this machine ask for it.
  const plain: PortableRecord = {
    version: 1,
    workItem: {
      ...workItem,
      ...(workItem.graph === undefined ? {} : { graph: phaseOnly(workItem.graph) }),
    },
    pullRequests,
    collaborators,
  };
  const read = parsePortableRecord(plain);
  return read.ok && read.item.workItem !== null
    ? {
        version: 1,
        workItem: read.item.workItem,
        pullRequests: read.item.pullRequests,
        collaborators: read.item.collaborators,
      }
    : plain;
}

/**
 * What people and critics said holds for the checkout that they said it of; elsewhere they are
 * asked again.
 */
function phaseOnly({ graph, node }: Pick<GraphRecord, "graph" | "node">): GraphRecord {
  return emptyGraphRecord(graph, node);
}

/**
 * Reads a record back, with every problem that it has. Refs are brought into their one written
 * form.
 */
export function parsePortableRecord(value: unknown): ParsedRecord {
  const reader = createReader();
  const record = reader.object(value, "");
  if (record["version"] !== 1)
    reader.problem("version", "1 is the only version that is understood");
  const workItem = readWorkItem(reader, reader.object(record["workItem"], "workItem"));
  const pullRequests = reader.list(record["pullRequests"], "pullRequests", (each, path) =>
    readLink(reader, reader.object(each, path), path),
  );
  const collaborators = reader.list(record["collaborators"], "collaborators", (each, path) =>
    readCollaborator(reader, reader.object(each, path), path),
  );
  if (reader.problems.length > 0) return { ok: false, problems: outermost(reader.problems) };
  return { ok: true, item: { ...emptyItemState, workItem, pullRequests, collaborators } };
}

/** What stands inside of something that is wrong as a whole is not worth a line of its own. */
function outermost(problems: readonly RecordProblem[]): readonly RecordProblem[] {
  const isInside = (path: string, outer: string): boolean =>
    path !== outer && (outer === "" || path.startsWith(`${outer}.`));
  return problems.filter(({ path }) => !problems.some((other) => isInside(path, other.path)));
}

const statuses: readonly [ControlStatus, ...ControlStatus[]] = [
  "idle",
  "started",
  "paused",
  "stopped",
  "closed",
];
const sources: readonly [ControlSource, ...ControlSource[]] = ["comment", "activity", "cli", "api"];
const clocks: readonly [ClockTime["clock"], ...ClockTime["clock"][]] = ["host", "machine"];
const types: readonly [WorkItem["type"], ...WorkItem["type"][]] = ["issue", "pull-request"];

function readWorkItem(reader: Reader, raw: JsonObject): WorkItem {
  return {
    ref: reader.ref(raw["ref"], "workItem.ref"),
    hostId: reader.textOrNull(raw["hostId"], "workItem.hostId"),
    repositoryId: reader.textOrNull(raw["repositoryId"], "workItem.repositoryId"),
    type: reader.oneOf(raw["type"], "workItem.type", types),
    title: reader.text(raw["title"], "workItem.title"),
    url: reader.textOrNull(raw["url"], "workItem.url"),
    cloneUrl: reader.textOrNull(raw["cloneUrl"], "workItem.cloneUrl"),
    defaultBranch: reader.textOrNull(raw["defaultBranch"], "workItem.defaultBranch"),
    open: reader.truth(raw["open"], "workItem.open"),
    armed: reader.truth(raw["armed"], "workItem.armed"),
    labels: reader.list(raw["labels"], "workItem.labels", (each, path) => reader.text(each, path)),
    control: readControl(reader, reader.object(raw["control"], "workItem.control")),
    closeDeferred: reader.truth(raw["closeDeferred"], "workItem.closeDeferred"),
    spend: readSpend(reader, reader.object(raw["spend"], "workItem.spend")),
    hostUpdatedAt: reader.textOrNull(raw["hostUpdatedAt"], "workItem.hostUpdatedAt"),
    ...(raw["closedAgain"] === undefined ||
    !reader.truth(raw["closedAgain"], "workItem.closedAgain")
      ? {}
      : { closedAgain: true }),
    ...(raw["revoked"] === undefined
      ? {}
      : {
          revoked: reader.list(raw["revoked"], "workItem.revoked", (each, path) =>
            readRevocation(reader, reader.object(each, path), path),
          ),
        }),
    ...(raw["startText"] === undefined
      ? {}
      : { startText: readStartText(reader, raw["startText"]) }),
    ...(raw["graph"] === undefined
      ? {}
      : { graph: readPhase(reader, reader.object(raw["graph"], "workItem.graph")) }),
  };
}

function readStartText(reader: Reader, value: unknown): StartText | null {
  if (value === null) return null;
  const path = "workItem.startText";
  const raw = reader.object(value, path);
  const asOf = raw["asOf"] === undefined ? {} : { asOf: reader.text(raw["asOf"], `${path}.asOf`) };
  return {
    title: reader.text(raw["title"], `${path}.title`),
    body: reader.text(raw["body"], `${path}.body`),
    author: readAccount(reader, raw["author"], `${path}.author`),
    editors: readEditors(reader, raw["editors"], `${path}.editors`),
    at: reader.textOrNull(raw["at"], `${path}.at`),
    ...asOf,
  };
}

function readEditors(reader: Reader, value: unknown, path: string): Editors {
  if (value === "unknown") return value;
  return reader.list(value, path, (each, at) => {
    const raw = reader.object(each, at);
    const what = reader.oneOf(raw["what"], `${at}.what`, ["title", "description"]);
    return { what, by: readAccount(reader, raw["by"], `${at}.by`) };
  });
}

function readAccount(reader: Reader, value: unknown, path: string): Account | null {
  if (value === null) return null;
  const raw = reader.object(value, path);
  const login = reader.text(raw["login"], `${path}.login`);
  const id = reader.textOrNull(raw["id"], `${path}.id`);
  return { login, id, bot: reader.truth(raw["bot"], `${path}.bot`) };
}

function readPhase(reader: Reader, raw: JsonObject): GraphRecord {
  return phaseOnly({
    graph: reader.text(raw["graph"], "workItem.graph.graph"),
    node: reader.text(raw["node"], "workItem.graph.node"),
  });
}

function readRevocation(reader: Reader, raw: JsonObject, path: string): Revocation {
  const login = readRevoked(reader.textOrNull(raw["login"], `${path}.login`));
  const ids =
    raw["ids"] === undefined
      ? {}
      : { ids: reader.list(raw["ids"], `${path}.ids`, (each, at) => reader.text(each, at)) };
  return { login, ...readClockTime(reader, raw, path), ...ids };
}

const readRevoked = (login: string | null): string | null =>
  login === null ? null : foldLogin(login);

function readControl(reader: Reader, raw: JsonObject): ControlRecord {
  return {
    status: reader.oneOf(raw["status"], "workItem.control.status", statuses),
    instance: reader.textOrNull(raw["instance"], "workItem.control.instance"),
    requestedBy: reader.textOrNull(raw["requestedBy"], "workItem.control.requestedBy"),
    source:
      raw["source"] === null
        ? null
        : reader.oneOf(raw["source"], "workItem.control.source", sources),
    deliveryId: reader.textOrNull(raw["deliveryId"], "workItem.control.deliveryId"),
    at: raw["at"] === null ? null : reader.amount(raw["at"], "workItem.control.at"),
    before:
      raw["before"] === null
        ? null
        : reader.oneOf(raw["before"], "workItem.control.before", statuses),
    ...(raw["beforePause"] === undefined
      ? {}
      : {
          beforePause: reader.oneOf(raw["beforePause"], "workItem.control.beforePause", statuses),
        }),
    ...(raw["since"] === undefined
      ? {}
      : {
          since:
            raw["since"] === null
              ? null
              : readClockTime(
                  reader,
                  reader.object(raw["since"], "workItem.control.since"),
                  "workItem.control.since",
                ),
        }),
  };
}

function readClockTime(reader: Reader, raw: JsonObject, path: string): ClockTime {
  return {
    at: reader.amount(raw["at"], `${path}.at`),
    clock: reader.oneOf(raw["clock"], `${path}.clock`, clocks),
  };
}

function readSpend(reader: Reader, raw: JsonObject): Spend {
  return {
    turns: reader.amount(raw["turns"], "workItem.spend.turns"),
    usd: reader.amount(raw["usd"], "workItem.spend.usd"),
    minutes: reader.amount(raw["minutes"], "workItem.spend.minutes"),
  };
}

function readLink(reader: Reader, raw: JsonObject, path: string): PullRequestLink {
  return {
    pullRequest: reader.ref(raw["pullRequest"], `${path}.pullRequest`),
    headSha: reader.textOrNull(raw["headSha"], `${path}.headSha`),
    headBranch: reader.textOrNull(raw["headBranch"], `${path}.headBranch`),
    open: reader.truth(raw["open"], `${path}.open`),
    at: reader.amount(raw["at"], `${path}.at`),
    ...(raw["updatedAt"] === undefined
      ? {}
      : { updatedAt: reader.text(raw["updatedAt"], `${path}.updatedAt`) }),
  };
}

function readLogin(reader: Reader, value: unknown, path: string): string {
  const login = reader.text(value, path);
  if (typeof value === "string" && !isLogin(login))
    reader.problem(path, "must be the login of a person");
  return login;
}

function readCollaborator(reader: Reader, raw: JsonObject, path: string): Collaborator {
  return {
    login: readLogin(reader, raw["login"], `${path}.login`),
    id: reader.textOrNull(raw["id"], `${path}.id`),
    grantedBy: reader.text(raw["grantedBy"], `${path}.grantedBy`),
    at: reader.amount(raw["at"], `${path}.at`),
    ...(raw["calledNow"] === undefined
      ? {}
      : { calledNow: readLogin(reader, raw["calledNow"], `${path}.calledNow`) }),
  };
}

/** Stands for a ref that could not be read, in a record that is refused anyway. */
const noRef: RefText = formatRef({ host: null, owner: "none", repo: "none", number: 1 });

type Reader = {
  readonly problems: readonly RecordProblem[];
  problem(path: string, message: string): void;
  object(value: unknown, path: string): JsonObject;
  text(value: unknown, path: string): string;
  textOrNull(value: unknown, path: string): string | null;
  truth(value: unknown, path: string): boolean;
  amount(value: unknown, path: string): number;
  oneOf<T extends string>(value: unknown, path: string, allowed: readonly [T, ...T[]]): T;
  ref(value: unknown, path: string): RefText;
  list<T>(value: unknown, path: string, read: (each: unknown, path: string) => T): readonly T[];
};

/**
 * Readers of values that note what does not fit and go on with something harmless, so that all
 * problems are found at once.
 */
function createReader(): Reader {
  const problems: RecordProblem[] = [];
  function expect<T>(value: T | null | undefined, path: string, what: string, otherwise: T): T {
    if (value === null || value === undefined) problems.push({ path, message: `must be ${what}` });
    return value ?? otherwise;
  }
  return {
    problems,
    problem: (path, message) => void problems.push({ path, message }),
    object: (value, path) => expect(isJsonObject(value) ? value : null, path, "an object", {}),
    text: (value, path) => expect(typeof value === "string" ? value : null, path, "a text", ""),
    textOrNull: (value, path) =>
      value === null
        ? null
        : expect(typeof value === "string" ? value : null, path, "a text or null", ""),
    truth: (value, path) =>
      expect(typeof value === "boolean" ? value : null, path, "true or false", false),
    amount: (value, path) =>
      expect(
        typeof value === "number" && Number.isFinite(value) && value >= 0 ? value : null,
        path,
        "a number from 0",
        0,
      ),
    oneOf: (value, path, allowed) =>
      expect(
        allowed.find((each) => each === value),
        path,
        `one of ${allowed.join(", ")}`,
        allowed[0],
      ),
    ref: (value, path) =>
      expect(
        typeof value === "string" ? toRefText(value) : null,
        path,
        `a ref: ${refGrammar}`,
        noRef,
      ),
    list: (value, path, read) => {
      const entries: readonly unknown[] = expect(
        Array.isArray(value) ? value : null,
        path,
        "a list",
        [],
      );
      return entries.map((each, i) => read(each, `${path}[${i}]`));
    },
  };
}
