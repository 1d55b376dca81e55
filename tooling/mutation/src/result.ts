/**
 * One change to one place of a source file. `from` and `to` are the text before and after; `line`
 * counts from 1.
 */
export type Mutant = {
  readonly id: string;
  readonly file: string;
  readonly line: number;
  /**
   * The whole line on which it starts: with it a reason finds its mutant again after lines moved.
   */
  readonly lineText: string;
  readonly from: string;
  readonly to: string;
};

/**
 * What became of a mutant. `timeout`: a test took more than its multiple of the steps that it takes
 * without the mutant. `static`: only the loading of a module runs the place, so that it is in no
 * test's hands; it counts nowhere.
 */
export type Fate = "killed" | "timeout" | "survived" | "noCoverage" | "static";

export type Counts = Readonly<Record<Fate, number>>;

/** A mutant that no test noticed; `reached` says whether one came by. */
export type Survivor = Omit<Mutant, "id" | "file"> & { readonly reached: boolean };

/** A source file's mutants, counted, on `commit`. */
export type FileResult = {
  readonly file: string;
  readonly commit: string;
  readonly counts: Counts;
  readonly survivors: readonly Survivor[];
};

/** What `docs/mutation.json` holds. `notRun` are source files that no run has come to yet. */
export type Result = {
  readonly command: string;
  readonly commit: string;
  readonly date: string;
  readonly machine: string;
  readonly node: string;
  readonly seconds: number;
  readonly folders: readonly FolderResult[];
  readonly total: FolderResult;
  readonly notRun: readonly string[];
  readonly files: readonly FileResult[];
};

export type FolderResult = Counts & { readonly folder: string; readonly score: number };

export const noCounts: Counts = { killed: 0, timeout: 0, survived: 0, noCoverage: 0, static: 0 };

function addCounts(a: Counts, b: Counts): Counts {
  return {
    killed: a.killed + b.killed,
    timeout: a.timeout + b.timeout,
    survived: a.survived + b.survived,
    noCoverage: a.noCoverage + b.noCoverage,
    static: a.static + b.static,
  };
}

/**
 * The share that a test noticed of all that a test could notice, from 0 to 1; what no test reaches
 * counts against it.
 */
export function scoreOf({ killed, timeout, survived, noCoverage }: Counts): number {
  const all = killed + timeout + survived + noCoverage;
  return all === 0 ? 1 : Math.round(((killed + timeout) / all) * 10_000) / 10_000;
}

/** Counts the mutants of each file that was run. */
export function countFiles(
  files: readonly string[],
  mutants: readonly Mutant[],
  fates: ReadonlyMap<string, Fate>,
  commit: string,
): readonly FileResult[] {
  const byFile = Map.groupBy(mutants, ({ file }) => file);
  return files.map((file) => {
    const own = byFile.get(file) ?? [];
    const survivors = own.flatMap(({ id, line, lineText, from, to }) => {
      const fate = fates.get(id);
      return fate === "survived" || fate === "noCoverage"
        ? [{ line, lineText, from, to, reached: fate === "survived" }]
        : [];
    });
    return {
      file,
      commit,
      counts: own
        .map(({ id }) => ({ ...noCounts, [fates.get(id) ?? "noCoverage"]: 1 }))
        .reduce(addCounts, noCounts),
      survivors,
    };
  });
}

/** Rows that were run now stand for older ones; rows of files that are gone go. */
export function mergeFiles(
  before: readonly FileResult[],
  now: readonly FileResult[],
  present: ReadonlySet<string>,
): readonly FileResult[] {
  const rows = new Map([...before, ...now].map((row) => [row.file, row]));
  return [...rows.values()]
    .filter(({ file }) => present.has(file))
    .toSorted((a, b) => (a.file < b.file ? -1 : 1));
}

export function countFolders(files: readonly FileResult[]): readonly FolderResult[] {
  return [...Map.groupBy(files, ({ file }) => folderOf(file))]
    .map(([folder, rows]) => total(folder, rows))
    .toSorted((a, b) => (a.folder < b.folder ? -1 : 1));
}

export function total(folder: string, files: readonly FileResult[]): FolderResult {
  const counts = files.map((row) => row.counts).reduce(addCounts, noCounts);
  return { folder, ...counts, score: scoreOf(counts) };
}

/** `src/decide/x.ts` lies in `decide`, and a file of `src` itself in `src`. */
function folderOf(file: string): string {
  const parts = file.split("/");
  return parts.length > 2 ? (parts[1] ?? "") : "src";
}
