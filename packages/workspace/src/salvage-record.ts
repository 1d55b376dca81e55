import { lstat, readdir, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { formatRef, type Ref } from "@loopwork/core/ports";
import { ifAbsent } from "./if-absent.ts";
import { ownFolder } from "./own-repository.ts";
import { writeDurably } from "./put-file.ts";
import { parseJson, parseRegistered, type Registered } from "./registry.ts";

/** What was saved of one checkout: the folder, and `salvage.json` in it. */
export type Saved = {
  readonly folder: string;
  readonly workItem: string;
  /** Milliseconds since 1970. */
  readonly savedAt: number;
  /** When it was brought back; null while it waits. */
  readonly restoredAt: number | null;
  /** Where the checkout stood and how it was made. */
  readonly registered: Registered;
  readonly head: string;
  /** Text of git's `HEAD` there: a commit, or the branch that was checked out. */
  readonly headFile: string;
  /** Ids by the names that they have in the bundle. */
  readonly refs: Readonly<Record<string, string>>;
  /**
   * The commit that agent and hook configuration had been restored from; null where nothing was.
   */
  readonly restoredFrom: { readonly commit: string; readonly branch: string } | null;
};

export const salvageFolder = (stateRoot: string): string => join(stateRoot, "salvage");

/** Writes `salvage.json`; `folder` is where it goes, which may still be moved. */
export async function writeSaved(folder: string, saved: Omit<Saved, "folder">): Promise<void> {
  const { savedAt, restoredAt } = saved;
  const times = {
    savedAt: new Date(savedAt).toISOString(),
    restoredAt: restoredAt === null ? null : new Date(restoredAt).toISOString(),
  };
  await writeDurably(
    join(folder, "salvage.json"),
    JSON.stringify({ version: 2, ...saved, ...times, ignoredFiles: "not saved" }, null, 2),
  );
}

/** All that is kept, newest first; folders that are no salvage of ours are passed over. */
export async function listSaved(stateRoot: string): Promise<readonly Saved[]> {
  const folder = salvageFolder(stateRoot);
  const names = (await readdir(folder).catch(ifAbsent([]))).filter(
    (name) => !name.endsWith(".partial") && !name.endsWith(".borrower"),
  );
  const found = await Promise.all(names.map((name) => readSaved(join(folder, name))));
  return found
    .filter((saved) => saved !== null)
    .toSorted((one, other) => other.savedAt - one.savedAt);
}

/** What waits to be brought back for a work item: of each checkout the newest. */
export async function waitingFor(stateRoot: string, workItem: Ref): Promise<readonly Saved[]> {
  const ref = formatRef(workItem);
  const seen = new Set<string>();
  return (await listSaved(stateRoot)).filter((saved) => {
    if (saved.workItem !== ref || seen.has(saved.registered.checkout)) return false;
    seen.add(saved.registered.checkout);
    return saved.restoredAt === null;
  });
}

/**
 * Removes what is older than `days` (`routing.workspace.salvageDays`), and leftovers of a killed
 * release that are an hour old. Returns the folders.
 */
export async function forgetSaved(
  stateRoot: string,
  days: number,
  now: number,
): Promise<readonly string[]> {
  const gone: string[] = [];
  for (const saved of await listSaved(stateRoot)) {
    if (now - saved.savedAt <= days * 86_400_000) continue;
    await rm(saved.folder, { recursive: true, force: true });
    gone.push(saved.folder);
  }
  for (const folder of [salvageFolder(stateRoot), ownFolder(stateRoot)])
    await forgetLeftovers(folder, now);
  return gone;
}

async function forgetLeftovers(folder: string, now: number): Promise<void> {
  for (const name of await readdir(folder).catch(ifAbsent([]))) {
    if (!name.endsWith(".partial") && !name.endsWith(".borrower")) continue;
    const stat = await lstat(join(folder, name)).catch(() => null);
    if (stat !== null && now - stat.mtimeMs > 3_600_000)
      await rm(join(folder, name), { recursive: true, force: true });
  }
}

async function readSaved(folder: string): Promise<Saved | null> {
  const text = await readFile(join(folder, "salvage.json"), "utf8").catch(ifAbsent(null));
  const parsed: unknown = text === null ? null : parseJson(text);
  if (typeof parsed !== "object" || parsed === null) return null;
  const fields = new Map<string, unknown>(Object.entries(parsed));
  const texts = ["workItem", "savedAt", "head", "headFile"]
    .map((name) => fields.get(name))
    .filter((value) => typeof value === "string");
  const [workItem, savedAt, head, headFile] = texts;
  const registered = parseRegistered(fields.get("registered"))[0];
  if (
    workItem === undefined ||
    savedAt === undefined ||
    head === undefined ||
    headFile === undefined ||
    registered === undefined
  )
    return null;
  const restoredAt = fields.get("restoredAt");
  return {
    folder,
    workItem,
    savedAt: Date.parse(savedAt),
    restoredAt: typeof restoredAt === "string" ? Date.parse(restoredAt) : null,
    registered,
    head,
    headFile,
    refs: textsOf(fields.get("refs")),
    restoredFrom: baseOf(fields.get("restoredFrom")),
  };
}

function textsOf(value: unknown): Readonly<Record<string, string>> {
  const entries = typeof value === "object" && value !== null ? Object.entries(value) : [];
  return Object.fromEntries(
    entries.flatMap(([name, text]: [string, unknown]) =>
      typeof text === "string" ? [[name, text]] : [],
    ),
  );
}

function baseOf(value: unknown): Saved["restoredFrom"] {
  const { commit, branch } = textsOf(value);
  return commit === undefined || branch === undefined ? null : { commit, branch };
}
