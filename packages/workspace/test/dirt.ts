import { createHash } from "node:crypto";
import {
  chmodSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  type Stats,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import type { Scratch } from "./scratch.ts";

/** Random numbers that are the same for the same seed. */
export type Random = {
  readonly below: (n: number) => number;
  readonly pick: <T>(from: readonly T[]) => T;
  readonly bytes: (n: number) => Buffer;
};

export function seeded(seed: number): Random {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  };
  const below = (n: number): number => Math.floor(next() * n);
  const pick = <T>(from: readonly T[]): T => {
    const found = from[below(from.length)];
    if (found === undefined) throw new Error("nothing to pick from");
    return found;
  };
  return { below, pick, bytes: (n) => Buffer.from(Array.from({ length: n }, () => below(256))) };
}

/**
 * Names are bytes here, each a character: `bytesOf` makes them from text, `at` gives them to the
 * file system.
 */
const bytesOf = (text: string): string => Buffer.from(text).toString("latin1");
const at = (dir: string, path: string): Buffer =>
  Buffer.concat([Buffer.from(`${dir}/`), Buffer.from(path, "latin1")]);

const oddNames = [
  "plain.txt",
  "with space.txt",
  "-dash.txt",
  bytesOf("ünï.txt"),
  "tab\there.txt",
  "new\nline.txt",
  '"quoted".txt',
  "#hash",
  "!bang",
  "deep/er/file.txt",
  "UPPER.TXT",
  "upper.txt",
  "back\\slash.txt",
  "end\r",
  "caf\xe9",
  "caf\xe9.d/\xff\xfe.txt",
  bytesOf("caf\u{fffd}"),
];

/**
 * A repository with every kind of file: text, both line endings, binary, programs, links, odd
 * names, a link to a submodule.
 */
export function plantBase(scratch: Scratch): void {
  const files: Record<string, string> = {
    ".gitattributes": "*.crlf text eol=crlf\n*.auto text=auto\n*.bin -text\n",
    ".gitignore": "ignored/\n*.log\n",
    "a.crlf": "one\ntwo\n",
    "b.auto": "one\ntwo\n",
    "c.bin": "\0\u0001\r\n\n",
    "run.sh": "#!/bin/sh\n",
    "dir/a.txt": "a\n",
    "dir/b.txt": "b\n",
    "dir/sub/c.txt": "c\n",
    "empty.txt": "",
  };
  scratch.write(scratch.source, files);
  for (const name of oddNames) put(scratch.source, `odd/${name}`, Buffer.from(`${name}\n`));
  chmodSync(join(scratch.source, "run.sh"), 0o755);
  symlinkSync("dir/a.txt", join(scratch.source, "link"));
  symlinkSync("/nowhere", join(scratch.source, "dangling"));
  scratch.git(scratch.source, "add", "-A");
  scratch.git(
    scratch.source,
    "update-index",
    "--add",
    "--cacheinfo",
    `160000,${scratch.git(scratch.source, "rev-parse", "HEAD")},module`,
  );
  scratch.git(scratch.source, "commit", "-q", "-m", "base");
  scratch.git(scratch.source, "push", "-q", join(scratch.remotes, "garden.git"), "main");
  // What was committed is what stands there, also where git changes line endings on the way.
}

type Act = (dir: string, random: Random, scratch: Scratch) => void;

const modes = [0o600, 0o700, 0o640, 0o444, 0o755, 0o666, 0o4755];

/**
 * What a session may do to its checkout, each by its name. One that git refuses at the moment does
 * nothing.
 */
const acts: Readonly<Record<string, Act>> = {
  "changes a file": (dir, random, s) => put(dir, tracked(dir, random, s), random.bytes(40)),
  "stages a change": (dir, random, s) =>
    stage(dir, put(dir, tracked(dir, random, s), random.bytes(30)), s),
  "stages a change and changes it again": (dir, random, s) =>
    put(dir, stage(dir, put(dir, tracked(dir, random, s), random.bytes(20)), s), random.bytes(21)),
  "adds a file": (dir, random) =>
    put(dir, `new/${random.pick(oddNames)}`, random.bytes(random.below(50))),
  "adds a program": (dir, random) =>
    chmodSync(at(dir, put(dir, `bin-${random.below(9)}`, random.bytes(9))), 0o755),
  "stages a new file": (dir, random, s) =>
    void stage(dir, put(dir, `staged/${random.pick(oddNames)}`, random.bytes(9)), s),
  "stages a new file and removes it": (dir, random, s) =>
    rmSync(at(dir, stage(dir, put(dir, `gone-${random.below(9)}`, random.bytes(9)), s))),
  "means to add a file": (dir, random, s) =>
    void s.git(dir, "add", "-N", "--", put(dir, `meant-${random.below(9)}`, random.bytes(9))),
  "removes a file": (dir, random, s) => rmSync(at(dir, tracked(dir, random, s)), { force: true }),
  "removes a file from the index too": (dir, random, s) =>
    void s.gitBytes(dir, "rm", "-q", "-f", "--", tracked(dir, random, s)),
  "removes a file from the index alone": (dir, random, s) =>
    void s.gitBytes(dir, "rm", "-q", "--cached", "--", tracked(dir, random, s)),
  "renames a file": (dir, random, s) =>
    void s.gitBytes(
      dir,
      "mv",
      "-f",
      "--",
      tracked(dir, random, s),
      `moved-${random.below(99)}.txt`,
    ),
  "renames a file without telling git": (dir, random, s) =>
    renameSync(at(dir, tracked(dir, random, s)), join(dir, `moved-${random.below(99)}.bin`)),
  "makes a file a program": (dir, random, s) => chmodSync(at(dir, tracked(dir, random, s)), 0o755),
  "gives a file other rights": (dir, random, s) =>
    chmodSync(at(dir, tracked(dir, random, s)), random.pick(modes)),
  "adds a file with other rights": (dir, random) =>
    chmodSync(
      at(dir, put(dir, `own/${random.pick(oddNames)}`, random.bytes(9))),
      random.pick(modes),
    ),
  "gives a folder other rights": (dir, random) =>
    chmodSync(
      at(dir, random.pick(["", "dir", "dir/sub", "odd", "own"])),
      random.pick([0o700, 0o750, 0o777, 0o1777]),
    ),
  "adds an empty folder": (dir, random) =>
    mkdirSync(
      at(dir, random.pick(["empty", "dir/empty", "odd/caf\xe9.d/empty\xff", "empty/in/empty"])),
      { recursive: true, mode: random.pick([0o755, 0o700, 0o777]) },
    ),
  "empties a folder": (dir, random) => {
    const folder = random.pick(["dir", "dir/sub", "odd/deep"]);
    for (const { name } of readdirSync(at(dir, folder), {
      withFileTypes: true,
      encoding: "buffer",
    }))
      rmSync(at(dir, `${folder}/${name.toString("latin1")}`), { recursive: true });
  },
  "makes a program a file, staged": (dir, _random, s) =>
    void (chmodSync(join(dir, "run.sh"), 0o644), s.git(dir, "add", "run.sh")),
  "puts a link in a file's place": (dir, random, s) =>
    link(
      dir,
      tracked(dir, random, s),
      random.pick(["/etc/passwd", "dir/a.txt", "../up", "loop", "caf\xe9"]),
    ),
  "puts a folder in a file's place": (dir, random, s) =>
    void put(dir, `${cleared(dir, tracked(dir, random, s))}/inner.txt`, random.bytes(5)),
  "puts a file in a folder's place": (dir, random) =>
    void put(dir, cleared(dir, random.pick(["dir", "dir/sub", "odd"])), random.bytes(5)),
  "puts a link in a folder's place": (dir, random, s) =>
    link(dir, random.pick(["dir", "dir/sub"]), s.source),
  "adds a link": (dir, random) =>
    link(dir, `link-${random.below(9)}`, random.pick(["run.sh", "/", "no where\n"])),
  "turns line endings": (dir, random) =>
    void put(
      dir,
      random.pick(["a.crlf", "b.auto"]),
      Buffer.from(random.pick(["one\ntwo\n", "one\r\ntwo\r\n", "one\r\ntwo\n", "two\r\n"])),
    ),
  "stages other line endings": (dir, random, s) =>
    void stage(
      dir,
      put(
        dir,
        random.pick(["a.crlf", "b.auto"]),
        Buffer.from(random.pick(["x\r\ny\r\n", "x\ny\n"])),
      ),
      s,
    ),
  "commits other line endings": (dir, random, s) => {
    stage(dir, put(dir, "b.auto", Buffer.from(`committed ${random.below(99)}\r\nx\r\n`)), s);
    s.git(dir, "commit", "-q", "-m", "endings");
  },
  "changes the attributes": (dir, random) =>
    void put(
      dir,
      ".gitattributes",
      Buffer.from(random.pick(["* -text\n", "*.txt text eol=crlf\n", ""])),
    ),
  "changes what is ignored": (dir, random) =>
    void put(dir, ".gitignore", Buffer.from(random.pick(["*.txt\n", "new/\n", ""]))),
  "adds an ignored file by force": (dir, random, s) =>
    void s.git(dir, "add", "-f", "--", put(dir, `forced-${random.below(9)}.log`, random.bytes(9))),
  "hides a change from git": (dir, random, s) => {
    const path = tracked(dir, random, s);
    s.gitBytes(
      dir,
      "update-index",
      random.pick(["--assume-unchanged", "--skip-worktree"]),
      "--",
      path,
    );
    put(dir, path, random.bytes(12));
  },
  "touches a file": (dir, random, s) =>
    utimesSync(at(dir, tracked(dir, random, s)), new Date(1e12), new Date(1e12)),
  "moves the link to a submodule": (dir, _random, s) =>
    void s.git(
      dir,
      "update-index",
      "--cacheinfo",
      `160000,${s.git(dir, "rev-parse", "HEAD")},module`,
    ),
  "adds a link to a submodule": (dir, random, s) =>
    void s.git(
      dir,
      "update-index",
      "--add",
      "--cacheinfo",
      `160000,${s.git(dir, "rev-parse", "HEAD")},module-${random.below(9)}`,
    ),
  "removes the link to a submodule": (dir, _random, s) =>
    void s.git(dir, "rm", "-q", "-f", "module"),
  "commits on a branch": (dir, random, s) => {
    s.git(dir, "switch", "-q", "-c", `work-${random.below(999_999)}`);
    commit(dir, random, s);
  },
  "commits on no branch": (dir, random, s) => {
    s.git(dir, "switch", "-q", "--detach");
    commit(dir, random, s);
  },
  "takes a commit back": (dir, _random, s) => void s.git(dir, "reset", "-q", "--soft", "HEAD~1"),
  stashes: (dir, _random, s) => void s.git(dir, "stash", "-q"),
  "runs into a conflict": (dir, random, s) => {
    s.git(dir, "switch", "-q", "-c", `mine-${random.below(999_999)}`);
    put(dir, "dir/a.txt", Buffer.from("mine\n"));
    s.git(dir, "commit", "-q", "-m", "mine", "dir/a.txt");
    s.git(dir, "switch", "-q", "-c", `other-${random.below(999_999)}`, "HEAD~1");
    put(dir, "dir/a.txt", Buffer.from("other\n"));
    s.git(dir, "commit", "-q", "-m", "other", "dir/a.txt");
    s.git(dir, "merge", "-q", "@{-1}");
  },
};

/** Makes a checkout dirty; the names of what was done, for the complaint of a test. */
export function makeDirty(dir: string, random: Random, scratch: Scratch): readonly string[] {
  const done: string[] = [];
  const count = 2 + random.below(9);
  for (let at = 0; at < count; at++) {
    const name = random.pick(Object.keys(acts));
    try {
      acts[name]?.(dir, random, scratch);
      done.push(name);
    } catch {
      done.push(`(${name})`);
    }
  }
  return done;
}

/**
 * Everything that must come back: each file and folder that is not ignored, with its rights, the
 * index with its marks, what git says of it, and where HEAD is.
 */
export function portrait(dir: string, scratch: Scratch): Readonly<Record<string, string>> {
  const seen: Record<string, string> = {};
  for (const path of new Set(
    list(scratch.gitBytes(dir, "ls-files", "-z", "--cached", "--others", "--exclude-standard")),
  ))
    seen[`file ${path}`] = kindOf(at(dir, path));
  const ignored = new Set(
    list(
      scratch.gitBytes(
        dir,
        "ls-files",
        "-z",
        "--others",
        "--ignored",
        "--exclude-standard",
        "--directory",
      ),
    ),
  );
  for (const path of foldersIn(dir, "", ignored))
    seen[`folder ${path}`] = (statSync(at(dir, path)).mode & 0o7777).toString(8);
  const rows: Readonly<Record<string, string>> = {
    stage: scratch.gitBytes(dir, "ls-files", "-z", "--stage"),
    marks: scratch.gitBytes(dir, "ls-files", "-z", "-v"),
    status: statusOf(dir, scratch),
    head: scratch.git(dir, "rev-parse", "HEAD"),
    branch: scratch.git(dir, "branch", "--show-current"),
    stash: scratch.git(dir, "stash", "list", "--format=%H"),
  };
  return { ...seen, ...rows };
}

/**
 * Without the two files whose line endings are git's to choose: where the attributes changed since,
 * git compares them anew.
 */
function statusOf(dir: string, scratch: Scratch): string {
  return list(scratch.gitBytes(dir, "status", "--porcelain", "-z", "--no-renames"))
    .filter((row) => !row.endsWith(" a.crlf") && !row.endsWith(" b.auto"))
    .join("\n");
}

const list = (text: string): readonly string[] => text.split("\0").filter((each) => each !== "");

function kindOf(file: Buffer): string {
  const stat = statOf(file);
  if (stat === null) return "none";
  if (stat.isSymbolicLink()) return `link ${readlinkSync(file, { encoding: "latin1" })}`;
  // The folder of a submodule; folders have rows of their own.
  if (stat.isDirectory()) return "none";
  return `${(stat.mode & 0o7777).toString(8)} ${createHash("sha256").update(readFileSync(file)).digest("hex")}`;
}

/** The folder itself and all below it that are neither ignored nor a repository of their own. */
function foldersIn(dir: string, folder: string, ignored: ReadonlySet<string>): readonly string[] {
  const entries = readdirSync(at(dir, folder), { withFileTypes: true, encoding: "buffer" }).filter(
    (entry) => entry.isDirectory(),
  );
  const paths = entries
    .map(({ name }) => `${folder}${name.toString("latin1")}/`)
    .filter((path) => path !== ".git/" && !ignored.has(path));
  return [folder, ...paths.flatMap((path) => foldersIn(dir, path, ignored))];
}

/** Null also where a file stands in the place of a folder on the way. */
function statOf(file: Buffer): Stats | null {
  try {
    return lstatSync(file);
  } catch {
    return null;
  }
}

function put(dir: string, path: string, bytes: Buffer): string {
  mkdirSync(at(dir, dirname(path)), { recursive: true });
  writeFileSync(at(dir, path), bytes);
  return path;
}

function stage(dir: string, path: string, scratch: Scratch): string {
  scratch.gitBytes(dir, "add", "--", path);
  return path;
}

function cleared(dir: string, path: string): string {
  rmSync(at(dir, path), { recursive: true });
  return path;
}

function link(dir: string, path: string, target: string): void {
  rmSync(at(dir, path), { recursive: true, force: true });
  symlinkSync(Buffer.from(target, "latin1"), at(dir, path));
}

function commit(dir: string, random: Random, scratch: Scratch): void {
  put(dir, `committed-${random.below(9)}.txt`, random.bytes(20));
  scratch.git(dir, "add", "-A");
  scratch.git(dir, "commit", "-q", "-m", "work");
}

/** A plain file that git tracks and that stands there. */
function tracked(dir: string, random: Random, scratch: Scratch): string {
  const paths = list(scratch.gitBytes(dir, "ls-files", "-z")).filter(
    (path) => statOf(at(dir, path))?.isFile() === true,
  );
  return random.pick(paths);
}
