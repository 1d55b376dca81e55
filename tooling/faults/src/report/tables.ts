import { benchTables } from "./bench-tables.ts";
import { cell, fieldsOf, listOf, table } from "./markdown.ts";

export type Result = Readonly<Record<string, unknown>>;

/** How the result of each part looks on the page. */
export const tables: Readonly<Record<string, (result: Result) => string>> = {
  kills: (result) =>
    numbers(result, [
      "kills",
      "acknowledged",
      "turnsExpected",
      "delivered",
      "lost",
      "doubled",
      "outOfOrder",
    ]) + violations(result),
  fleet: (result) =>
    `${numbers(result, ["accepted", "passedOver", "items", "claims", "claimedTwice", "lateRefused", "lateTaken"])}\n\n${numbers(result, ["kills", "serverKills", "turnsExpected", "delivered", "lost", "doubled", "outOfOrder"])}${violations(result)}`,
  matrix: (result) => plain(result) + violations(result),
  syscalls: (result) =>
    `${numbers(result, ["positions", "notReached", "notRun", "acknowledged", "refusals"])}\n\n${counts(fieldsOf(result["struck"]), "made to fail")}${violations(result)}`,
  torn: (result) =>
    `${numbers(result, ["mutations", "shortened", "damagedBodies"])}\n\n${counts(fieldsOf(result["made"]), "made")}${violations(result)}`,
  hostile: (result) =>
    `${numbers(result, ["inputs", "crashes", "serverErrors", "worstBlockMs", "baselineBlockMs", "rssGrowthMiB", "stored", "decided"])}\n\n${counts(fieldsOf(result["byAnswer"]), "answer")}${violations(result)}`,
  restarts: (result) =>
    numbers(result, [
      "restarts",
      "attempts",
      "answeredAtOnce",
      "answeredOnRetry",
      "answeredLater",
      "unanswered",
      "accepted",
      "stored",
      "lost",
      "doubled",
    ]) + violations(result),
  soak: (result) =>
    `${numbers(result, ["minutes", "accepted", "stored", "storms", "acceptP50Ms", "acceptP99Ms", "stormP99Ms", "late", "forgotten", "turnsExpected", "delivered", "lost", "doubled"])}\n\n${series(result, ["rssMiB", "openFiles", "backlog", "bodiesMiB", "eventLines", "diskMiB"])}${violations(result)}`,
  guards: (result) =>
    rows(
      ["without", "violations", "the first"],
      listOf(result["guards"]).map((each) => [each["guard"], each["violations"], each["first"]]),
    ),
  sim: (result) => numbers(result, ["seeds", "steps"]) + violations(result),
  explore: (result) =>
    rows(
      ["states", "transitions", "invariants", "rules broken on purpose", "of them found"],
      [
        [
          result["states"],
          result["transitions"],
          listOf(result["invariants"]).length,
          result["mutants"],
          Number(result["mutants"]) - listOf(result["alive"]).length,
        ],
      ],
    ) + violations(result),
  mutation: (result) =>
    mutants([...listOf(result["folders"]), { ...fieldsOf(result["total"]), folder: "all" }]) +
    notRun(result),
  bench: benchTables,
  publish: (result) =>
    rows(
      ["package", "packages that it brings, itself included", "MB on disk"],
      listOf(result["packages"]).map((each) => [
        each["name"],
        each["installedPackages"],
        Number(each["bytes"]) / 1e6,
      ]),
    ) + failures(result),
  replay: (result) =>
    `${rows(
      ["document", "blocks typed", "marked as not replayed"],
      listOf(result["documents"]).map((each) => [
        each["file"],
        each["blocks"],
        listOf(each["leftOut"]).length,
      ]),
    )}\n\n${leftOut(result)}${failures(result)}`,
  real: (result) => numbers(result, ["harnessA", "rows", "passed", "failed", "skipped"]),
};

const words: Readonly<Record<string, string>> = {
  turnsExpected: "expected",
  outOfOrder: "out of order",
  passedOver: "passed over",
  claimedTwice: "claimed twice",
  lateRefused: "late, refused",
  lateTaken: "late, taken",
  serverKills: "kills of the server",
  serverErrors: "5xx but 503",
  worstBlockMs: "longest block, ms",
  baselineBlockMs: "of which the machine's, ms",
  rssGrowthMiB: "growth, MiB",
  answeredAtOnce: "answered at once",
  answeredOnRetry: "on a retry",
  answeredLater: "later",
  acceptP50Ms: "p50, ms",
  acceptP99Ms: "p99, ms",
  stormP99Ms: "p99 in storms, ms",
  bodiesMiB: "bodies, MiB",
  eventLines: "lines of the event log",
  diskMiB: "disk, MiB",
  rssMiB: "resident, MiB",
  openFiles: "open files",
  perHour: "an hour adds",
  harnessA: "harness A",
  rows: "rows of it",
};

/** One row of numbers under their names. */
function numbers(result: Result, keys: readonly string[]): string {
  return rows(keys.map(nameOf), [keys.map((key) => result[key])]);
}

/** Every number of the result. */
function plain(result: Result): string {
  return numbers(
    result,
    Object.keys(result).filter((key) => ["number", "string"].includes(typeof result[key])),
  );
}

function counts(result: Result, of: string): string {
  return rows([of, "times"], Object.entries(result));
}

function series(result: Result, keys: readonly string[]): string {
  const of = ["first", "last", "most", "perHour"];
  return rows(
    ["", ...of.map(nameOf)],
    keys.map((key) => [nameOf(key), ...of.map((each) => fieldsOf(result[key])[each])]),
  );
}

function rows(head: readonly string[], body: readonly (readonly unknown[])[]): string {
  return table(
    head,
    body.map((cells) => cells.map(cell)),
  );
}

/** What tests noticed of what they could have, by folder. */
function mutants(folders: readonly Result[]): string {
  const of = (folder: Result, ...keys: readonly string[]): number =>
    keys.reduce((sum, key) => sum + Number(folder[key] ?? 0), 0);
  return rows(
    ["folder", "mutants", "noticed", "not noticed", "score"],
    folders.map((folder) => [
      folder["folder"],
      of(folder, "killed", "timeout", "survived", "noCoverage"),
      of(folder, "killed", "timeout"),
      of(folder, "survived", "noCoverage"),
      `${(100 * Number(folder["score"])).toFixed(1)} %`,
    ]),
  );
}

function notRun(result: Result): string {
  const files = Array.isArray(result["notRun"]) ? result["notRun"].length : 0;
  return files === 0 ? "" : `\n\nNot run yet: ${files} files.`;
}

function violations(result: Result): string {
  const found = Array.isArray(result["violations"]) ? result["violations"] : [];
  return found.length === 0
    ? "\n\nNo violations."
    : `\n\n**${found.length} violations**, of which the first: ${cell(typeof found[0] === "string" ? found[0] : JSON.stringify(found[0]))}`;
}

function failures(result: Result): string {
  const found = Array.isArray(result["failures"]) ? result["failures"] : [];
  return found.length === 0
    ? "\n\nNo failures."
    : `\n\n**${found.length} failures**, of which the first: ${cell(found[0])}`;
}

/** The blocks that nobody typed, each with its reason. */
function leftOut(result: Result): string {
  return rows(
    ["not replayed", "why"],
    listOf(result["documents"]).flatMap((each) =>
      listOf(each["leftOut"]).map(({ where, why }) => [where, why]),
    ),
  );
}

function nameOf(key: string): string {
  return words[key] ?? key;
}
