import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Scratch } from "./scratch.ts";

/** A checkout, the folder with its own records, and the one with those that it shares. */
export type Left = {
  readonly s: Scratch;
  readonly workdir: string;
  readonly own: string;
  readonly common: string;
};

/**
 * What a turn can leave so that a git which trusts it runs a program. `naive` is git as it is, in
 * the checkout or in `from`, which must run it: else the trap is dead. `carelessly` says whether
 * the workspace itself would run it in a worktree with a git that discovers repositories; where
 * not, it never uses the part of git that the trap is about, or looks at the file itself.
 */
export type Trap = {
  readonly what: string;
  readonly carelessly: boolean;
  readonly plant: (left: Left) => void;
  readonly naive: (left: Left) => readonly (readonly string[])[];
  readonly from?: (left: Left) => string;
};

/**
 * Where an https proxy asks for a password, git asks its helpers first: no server is needed for
 * them to run.
 */
const asksHelper = { "http.proxy": "http://u@127.0.0.1:9" } as const;
const missing = "1".repeat(40);

export const traps: readonly Trap[] = [
  {
    what: "a .git of its own that says its objects are on a remote, and who has the password",
    carelessly: true,
    plant(left) {
      rmSync(join(left.workdir, ".git"), { recursive: true });
      left.s.git(left.workdir, "init", "-q");
      setAll(left, join(left.workdir, ".git/config"), partial(left));
      writeFileSync(join(left.workdir, ".git/HEAD"), `${missing}\n`);
    },
    naive: () => [
      ["rev-parse", "HEAD^{commit}"],
      ["cat-file", "-e", missing],
    ],
  },
  {
    what: "a configuration that says its objects are on a remote, and who has the password",
    carelessly: true,
    plant(left) {
      setAll(left, join(left.common, "config"), partial(left));
      writeFileSync(join(left.own, "HEAD"), `${missing}\n`);
    },
    naive: () => [
      ["rev-parse", "HEAD^{commit}"],
      ["cat-file", "-e", missing],
    ],
  },
  {
    what: "a file-system monitor",
    carelessly: true,
    plant: (left) => setAll(left, join(left.common, "config"), { "core.fsmonitor": left.s.trap }),
    naive: () => [["status"]],
  },
  {
    what: "a clean filter, and attributes in the checkout",
    carelessly: true,
    plant: (left) => (
      setAll(left, join(left.common, "config"), filters(left)),
      attributes(left.workdir)
    ),
    naive: () => [["add", "--renormalize", "."]],
  },
  {
    what: "a filter that is a process, and attributes of the clone",
    carelessly: true,
    plant(left) {
      setAll(left, join(left.common, "config"), { "filter.x.process": left.s.trap });
      mkdirSync(join(left.common, "info"), { recursive: true });
      writeFileSync(join(left.common, "info/attributes"), "* filter=x\n");
      writeFileSync(join(left.workdir, "README.md"), "changed\n");
    },
    naive: () => [["add", "README.md"]],
  },
  {
    what: "a filter, and attributes in a file that the configuration names",
    carelessly: true,
    plant(left) {
      writeFileSync(join(left.s.folder, "attributes"), "* filter=x\n");
      setAll(left, join(left.common, "config"), {
        ...filters(left),
        "core.attributesFile": join(left.s.folder, "attributes"),
      });
      writeFileSync(join(left.workdir, "README.md"), "changed\n");
    },
    naive: () => [["add", "README.md"]],
  },
  {
    what: "a filter in the configuration of the one worktree",
    carelessly: true,
    plant(left) {
      setAll(left, join(left.common, "config"), { "extensions.worktreeConfig": "true" });
      setAll(left, join(left.own, "config.worktree"), filters(left));
      attributes(left.workdir);
    },
    naive: () => [["add", "--renormalize", "."]],
  },
  {
    what: "a monitor in a file that the configuration includes",
    carelessly: true,
    plant(left) {
      setAll(left, join(left.s.folder, "included"), { "core.fsmonitor": left.s.trap });
      setAll(left, join(left.common, "config"), {
        "include.path": join(left.s.folder, "included"),
      });
    },
    naive: () => [["status"]],
  },
  {
    what: "a monitor in a file that the configuration includes under a condition",
    carelessly: true,
    plant(left) {
      setAll(left, join(left.s.folder, "included"), { "core.fsmonitor": left.s.trap });
      setAll(left, join(left.common, "config"), {
        "includeIf.gitdir:/**.path": join(left.s.folder, "included"),
      });
    },
    naive: () => [["status"]],
  },
  {
    what: "hooks",
    carelessly: true,
    plant(left) {
      mkdirSync(join(left.common, "hooks"), { recursive: true });
      for (const name of [
        "post-checkout",
        "reference-transaction",
        "post-index-change",
        "post-merge",
        "pre-auto-gc",
        "fsmonitor-watchman",
      ])
        writeFileSync(join(left.common, "hooks", name), `#!/bin/sh\n${left.s.trap} </dev/null\n`, {
          mode: 0o755,
        });
      left.s.commit({ "newer.txt": "newer\n" });
    },
    naive: () => [["update-ref", "refs/heads/one", "HEAD"]],
  },
  {
    what: "a path to hooks in the checkout",
    carelessly: true,
    plant(left) {
      for (const name of ["post-checkout", "reference-transaction", "post-index-change"])
        program(left.workdir, `.husky/${name}`, `${left.s.trap} </dev/null`);
      setAll(left, join(left.common, "config"), { "core.hooksPath": join(left.workdir, ".husky") });
      left.s.commit({ "newer.txt": "newer\n" });
    },
    naive: () => [["update-ref", "refs/heads/one", "HEAD"]],
  },
  {
    what: "a program for the other end of a fetch",
    carelessly: true,
    plant: (left) =>
      setAll(left, join(left.common, "config"), { "remote.origin.uploadpack": left.s.trap }),
    naive: () => [["fetch", "-q", "origin"]],
  },
  {
    what: "an address that is a program",
    carelessly: true,
    plant: (left) =>
      setAll(left, join(left.common, "config"), {
        [`url.ext::${left.s.trap} .insteadOf`]: `file://${left.s.remotes}/`,
        "protocol.ext.allow": "always",
      }),
    naive: () => [["fetch", "-q", "origin"]],
  },
  {
    what: "borrowed objects, and a command that lists what is borrowed",
    carelessly: true,
    plant(left) {
      writeFileSync(
        join(left.common, "objects/info/alternates"),
        `${join(left.s.source, ".git/objects")}\n`,
      );
      setAll(left, join(left.common, "config"), { "core.alternateRefsCommand": left.s.trap });
      left.s.commit({ "newer.txt": "newer\n" });
    },
    naive: () => [["fetch", "-q", "origin"]],
  },
  {
    what: "an ssh program",
    carelessly: false,
    plant: (left) => setAll(left, join(left.common, "config"), { "core.sshCommand": left.s.trap }),
    naive: () => [["ls-remote", "git@example.org:maria/garden.git"]],
  },
  {
    what: "a proxy program",
    carelessly: false,
    plant: (left) => setAll(left, join(left.common, "config"), { "core.gitProxy": left.s.trap }),
    naive: () => [["ls-remote", "git://127.0.0.1:9/x"]],
  },
  {
    what: "a credential helper",
    carelessly: false,
    plant: (left) =>
      setAll(left, join(left.common, "config"), {
        ...asksHelper,
        "credential.helper": `!${left.s.trap}`,
      }),
    naive: () => [["ls-remote", "https://127.0.0.1:9/x"]],
  },
  {
    what: "a program that asks for passwords",
    carelessly: false,
    plant: (left) =>
      setAll(left, join(left.common, "config"), { ...asksHelper, "core.askPass": left.s.trap }),
    naive: () => [["ls-remote", "https://127.0.0.1:9/x"]],
  },
  {
    what: "a program for differences",
    carelessly: false,
    plant(left) {
      setAll(left, join(left.common, "config"), {
        "diff.external": left.s.trap,
        "diff.x.textconv": left.s.trap,
        "diff.x.command": left.s.trap,
      });
      writeFileSync(join(left.workdir, ".gitattributes"), "* diff=x\n");
      writeFileSync(join(left.workdir, "README.md"), "changed\n");
    },
    naive: () => [["diff"]],
  },
  {
    what: "a program that looks at signatures, and a commit that has one",
    carelessly: false,
    plant(left) {
      const id = left.s.git(
        left.workdir,
        "commit-tree",
        "HEAD^{tree}",
        "-p",
        "HEAD",
        "-m",
        "signed",
      );
      const text = left.s
        .git(left.workdir, "cat-file", "commit", id)
        .replace(
          "\n\n",
          "\ngpgsig -----BEGIN PGP SIGNATURE-----\n \n x\n -----END PGP SIGNATURE-----\n\n",
        );
      writeFileSync(join(left.s.folder, "signed"), `${text}\n`);
      writeFileSync(
        join(left.own, "HEAD"),
        `${left.s.git(left.workdir, "hash-object", "-t", "commit", "-w", join(left.s.folder, "signed"))}\n`,
      );
      setAll(left, join(left.common, "config"), {
        "gpg.program": left.s.trap,
        "log.showSignature": "true",
        "merge.verifySignatures": "true",
      });
    },
    naive: () => [["log", "-1"]],
  },
  {
    what: "a .git that leads to another repository",
    carelessly: true,
    plant(left) {
      rmSync(join(left.workdir, ".git"), { recursive: true });
      left.s.git(left.s.folder, "clone", "-q", `file://${left.s.remotes}/garden.git`, "elsewhere");
      setAll(left, join(left.s.folder, "elsewhere/.git/config"), { "core.fsmonitor": left.s.trap });
      writeFileSync(join(left.workdir, ".git"), `gitdir: ${left.s.folder}/elsewhere/.git\n`);
    },
    naive: () => [["status"]],
  },
  {
    what: "records that take their configuration from another repository",
    carelessly: false,
    plant(left) {
      left.s.git(left.s.folder, "clone", "-q", `file://${left.s.remotes}/garden.git`, "elsewhere");
      setAll(left, join(left.s.folder, "elsewhere/.git/config"), { "core.fsmonitor": left.s.trap });
      writeFileSync(join(left.own, "commondir"), `${left.s.folder}/elsewhere/.git\n`);
    },
    naive: () => [["status"]],
  },
  {
    what: "a submodule with a configuration of its own",
    carelessly: true,
    plant(left) {
      const inner = join(left.workdir, "module");
      left.s.git(left.workdir, "clone", "-q", `file://${left.s.remotes}/garden.git`, inner);
      left.s.git(
        left.workdir,
        "update-index",
        "--add",
        "--cacheinfo",
        `160000,${left.s.git(inner, "rev-parse", "HEAD")},module`,
      );
      setAll(left, join(inner, ".git/config"), filters(left));
      attributes(inner);
    },
    naive: () => [["status"]],
  },
  {
    what: "a repository inside with a configuration of its own",
    carelessly: true,
    plant(left) {
      const inner = join(left.workdir, "vendor");
      left.s.git(left.workdir, "clone", "-q", `file://${left.s.remotes}/garden.git`, inner);
      setAll(left, join(inner, ".git/config"), { "core.fsmonitor": left.s.trap });
    },
    naive: () => [["status"]],
    from: (left) => join(left.workdir, "vendor"),
  },
];

function partial(left: Left): Readonly<Record<string, string>> {
  return {
    "core.repositoryFormatVersion": "1",
    "extensions.partialClone": "p",
    "remote.p.url": "https://127.0.0.1:9/x",
    "remote.p.promisor": "true",
    ...asksHelper,
    "credential.helper": `!${left.s.trap}`,
  };
}

const filters = ({ s }: Left): Readonly<Record<string, string>> => ({
  "filter.x.clean": s.trap,
  "filter.x.smudge": s.trap,
});

function attributes(workdir: string): void {
  writeFileSync(join(workdir, ".gitattributes"), "* filter=x\n");
  writeFileSync(join(workdir, "README.md"), "changed\n");
}

function setAll({ s }: Left, file: string, keys: Readonly<Record<string, string>>): void {
  for (const [key, value] of Object.entries(keys)) s.git("/", "config", "--file", file, key, value);
}

function program(folder: string, path: string, line: string): void {
  mkdirSync(join(folder, path, ".."), { recursive: true });
  writeFileSync(join(folder, path), `#!/bin/sh\n${line}\n`);
  chmodSync(join(folder, path), 0o755);
}

/** The checkout with where its records are. */
export function leftOf(s: Scratch, workdir: string, clone: string): Left {
  const common = join(clone, ".git");
  const own =
    workdir === clone
      ? common
      : readFileSync(join(workdir, ".git"), "utf8").trim().slice("gitdir: ".length);
  if (!existsSync(own)) throw new Error(`no records of ${workdir}`);
  return { s, workdir, own, common };
}
