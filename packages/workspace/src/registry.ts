import { mkdir, readdir, readFile, rm } from "node:fs/promises";
import { join, sep } from "node:path";
import type { Ref } from "@loopwork/core/ports";
import { ifAbsent } from "./if-absent.ts";
import { slugOf, type Strategy } from "./layout.ts";
import { writeDurably } from "./put-file.ts";

/**
 * One checkout that we made. Only what stands in such a record is ever removed. `defaultBranch` as
 * its host told it then.
 */
export type Registered = {
  readonly root: string;
  readonly host: string;
  readonly owner: string;
  readonly repo: string;
  readonly cloneUrl: string;
  readonly checkout: string;
  readonly strategy: Strategy;
  readonly restoreFrom: RestoreFrom;
  readonly defaultBranch: string | null;
};

/**
 * Branch that agent and hook configuration must come from, null for the default one; null as a
 * whole where the head is trusted.
 */
type RestoreFrom = { readonly branch: string | null } | null;

/** Checkouts per work item, one small file each under `<state.root>/checkouts`. */
export interface Registry {
  of(workItem: Ref): Promise<readonly Registered[]>;
  add(workItem: Ref, checkout: Registered): Promise<void>;
  remove(workItem: Ref, checkout: string): Promise<void>;
  /** The record of a checkout, by where it stands; null when there is none. */
  at(checkout: string): Promise<Registered | null>;
  /** Names of the work items that have checkouts. */
  slugs(): Promise<readonly string[]>;
}

/**
 * `alone` runs one change of a work item's file at a time: lanes in several repositories of one
 * item share it, and so do processes.
 */
export function createRegistry(
  stateRoot: string,
  alone: <T>(slug: string, work: () => Promise<T>) => Promise<T>,
): Registry {
  const folder = join(stateRoot, "checkouts");
  const fileOf = (workItem: Ref): string => join(folder, `${slugOf(workItem)}.json`);
  const of: Registry["of"] = async (workItem) =>
    parseRecord(await readFile(fileOf(workItem), "utf8").catch(ifAbsent(null)));
  const keep = async (workItem: Ref, checkouts: readonly Registered[]): Promise<void> => {
    if (checkouts.length === 0) return rm(fileOf(workItem), { force: true });
    await mkdir(folder, { recursive: true, mode: 0o700 });
    await writeDurably(fileOf(workItem), JSON.stringify({ version: 1, checkouts }, null, 2));
  };
  return {
    of,
    add: (workItem, checkout) =>
      alone(slugOf(workItem), async () => {
        const others = (await of(workItem)).filter((each) => each.checkout !== checkout.checkout);
        await keep(workItem, [...others, checkout]);
      }),
    remove: (workItem, checkout) =>
      alone(slugOf(workItem), async () =>
        keep(
          workItem,
          (await of(workItem)).filter((each) => each.checkout !== checkout),
        ),
      ),
    async at(checkout) {
      // The work item's name is the last part of a worktree's path, and the fourth from the end of
      // a clone's.
      const parts = checkout.split(sep);
      for (const slug of [parts.at(-1), parts.at(-4)]) {
        const found =
          slug === undefined
            ? undefined
            : parseRecord(
                await readFile(join(folder, `${slug}.json`), "utf8").catch(ifAbsent(null)),
              ).find((each) => each.checkout === checkout);
        if (found !== undefined) return found;
      }
      return null;
    },
    async slugs() {
      const names = await readdir(folder).catch(ifAbsent([]));
      return names
        .filter((name) => name.endsWith(".json"))
        .map((name) => name.slice(0, -".json".length));
    },
  };
}

function parseRecord(text: string | null): readonly Registered[] {
  if (text === null) return [];
  const parsed: unknown = parseJson(text);
  const list: unknown =
    typeof parsed === "object" && parsed !== null && "checkouts" in parsed ? parsed.checkouts : [];
  return Array.isArray(list) ? list.flatMap((entry: unknown) => parseRegistered(entry)) : [];
}

/** A record as it was read, or nothing when it is none. */
export function parseRegistered(entry: unknown): readonly Registered[] {
  if (typeof entry !== "object" || entry === null) return [];
  const field = (name: string): string | null => {
    const value: unknown = Object.entries(entry).find(([key]) => key === name)?.[1];
    return typeof value === "string" ? value : null;
  };
  const [root, host, owner, repo, cloneUrl, checkout] = [
    field("root"),
    field("host"),
    field("owner"),
    field("repo"),
    field("cloneUrl"),
    field("checkout"),
  ];
  return root === null ||
    host === null ||
    owner === null ||
    repo === null ||
    cloneUrl === null ||
    checkout === null
    ? []
    : [
        {
          root,
          host,
          owner,
          repo,
          cloneUrl,
          checkout,
          strategy: field("strategy") === "clone" ? "clone" : "worktree",
          restoreFrom: "restoreFrom" in entry ? parseRestore(entry.restoreFrom) : null,
          defaultBranch: field("defaultBranch"),
        },
      ];
}

function parseRestore(value: unknown): RestoreFrom {
  if (typeof value !== "object" || value === null) return null;
  return { branch: "branch" in value && typeof value.branch === "string" ? value.branch : null };
}

/** Null for what is no JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
