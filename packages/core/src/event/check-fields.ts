import { isJsonObject, type JsonObject } from "./parse-payload.ts";
import type { CiEvent, Repository } from "./event.ts";
import { commitId, idText, itemNumber } from "./fields.ts";

type Check = CiEvent["check"];

/**
 * Where one of the four events has what is told of a check beside its name and commit; `raw` is the
 * part of the payload that is about it.
 */
export type CheckFields = {
  readonly headBranch: (raw: JsonObject) => string | null;
  /** Asked only of what is completed. */
  readonly conclusion: (raw: JsonObject) => string | null;
  readonly url: (raw: JsonObject) => string | null;
  /** Pull requests as the host lists them, those of other repositories among them. */
  readonly pullRequests: (raw: JsonObject) => unknown;
  readonly source: (raw: JsonObject) => string | null;
  readonly run: (raw: JsonObject) => string | null;
};

/** A check, by what was read of it already and by where its event has the rest. */
export function checkFields(
  raw: JsonObject,
  where: CheckFields,
  read: Pick<Check, "name" | "headSha" | "phase">,
  repository: Repository,
): Check {
  const { name, headSha, phase } = read;
  const listed = where.pullRequests(raw);
  const pullRequests = numbersIn(listed, repository);
  const namesNone = pullRequests.length === 0;
  return {
    name,
    headSha,
    headBranch: where.headBranch(raw),
    phase,
    conclusion: phase === "completed" ? where.conclusion(raw) : null,
    url: where.url(raw),
    pullRequests,
    pullRequestHead: namesNone ? null : firstHeadIn(listed, repository),
    pullRequestFork: namesNone ? null : firstIsFork(listed, repository),
    source: where.source(raw),
    run: where.run(raw),
  };
}

/** Numbers of the listed pull requests that are against the repository. */
function numbersIn(listed: unknown, repository: Repository): readonly number[] {
  if (!Array.isArray(listed) || listed.length === 0) return [];
  const entries: readonly unknown[] = listed;
  const numbers: number[] = [];
  for (const entry of entries) {
    const number = numberOf(entry, repository);
    if (number !== null) numbers.push(number);
  }
  return numbers;
}

/** Head of the first of them, where it is shown. */
function firstHeadIn(listed: unknown, repository: Repository): string | null {
  const head = firstIn(listed, repository)?.["head"];
  return isJsonObject(head) ? commitId(head["sha"]) : null;
}

/**
 * Whether that head lives elsewhere: compared by id, as names change; null where one of the two is
 * not shown.
 */
function firstIsFork(listed: unknown, repository: Repository): boolean | null {
  const first = firstIn(listed, repository);
  const [head, base] = [first?.["head"], first?.["base"]].map((side) =>
    isJsonObject(side) && isJsonObject(side["repo"]) ? idText(side["repo"]["id"]) : null,
  );
  return head == null || base == null ? null : head !== base;
}

function firstIn(listed: unknown, repository: Repository): JsonObject | undefined {
  const entries: readonly unknown[] = Array.isArray(listed) ? listed : [];
  return entries.filter(isJsonObject).find((entry) => numberOf(entry, repository) !== null);
}

/** Number of a listed pull request; null where it is none, or against another repository. */
function numberOf(entry: unknown, repository: Repository): number | null {
  if (!isJsonObject(entry)) return null;
  const base = entry["base"];
  const repo = isJsonObject(base) ? base["repo"] : null;
  return isJsonObject(repo) && isRepository(repo, repository) ? itemNumber(entry["number"]) : null;
}

function isRepository(repo: JsonObject, repository: Repository): boolean {
  const [listed, own] = [idText(repo["id"]), repository.id];
  return listed === null || own === null ? repo["name"] === repository.name : listed === own;
}
