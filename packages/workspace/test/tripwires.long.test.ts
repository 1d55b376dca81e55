import { spawn } from "node:child_process";
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import type { Workspace } from "@loopwork/core/ports";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createGit, type Git } from "../src/git.ts";
import { createWorkspace } from "../src/index.ts";
import { createCheckouts } from "../src/workspace.ts";
import { careless } from "./careless.ts";
import { createScratch, requestFor, type Scratch } from "./scratch.ts";

/**
 * Repositories that run a program on whoever checks them out without care. `plant` sets the trap in
 * the shared clone or on the remote; the workspace then works there and nothing may fire. The same
 * workspace over a git without hardening must fire, else the trap is dead; where that does not get
 * to it (`unreached`), because it looks at the file itself or never uses the part of git that the
 * trap is about, `naive` is careless use of git, which must fire.
 */
type Trap = {
  readonly id: string;
  readonly what: string;
  readonly plant: (s: Scratch) => void;
  readonly noted?: string;
  readonly cloneUrl?: string;
} & (
  | { readonly unreached?: false }
  | { readonly unreached: true; readonly naive: (s: Scratch) => readonly (readonly string[])[] }
);

const config = (s: Scratch, key: string, value: string): string =>
  s.git(s.clone, "config", key, value);

/** An ssh of the user's own that reaches the practice remote. */
function withOwnSsh(s: Scratch): Readonly<Record<string, string>> {
  const ssh = join(s.folder, "own-ssh.sh");
  writeFileSync(ssh, `#!/bin/sh\nexec git-upload-pack ${s.remotes}/garden.git\n`, { mode: 0o755 });
  return { ...s.env, GIT_SSH_COMMAND: ssh, PATH: `${s.git("/", "--exec-path")}:${s.env.PATH}` };
}
const fetch = ["fetch", "-q", "origin"];

const traps: readonly Trap[] = [
  {
    id: "W03",
    what: "core.hooksPath points into the checkout, and the head carries hooks",
    plant(s) {
      s.git(s.source, "config", "core.fileMode", "true");
      s.write(s.source, {
        ".husky/post-checkout": `#!/bin/sh\n${s.trap}\n`,
        ".husky/reference-transaction": `#!/bin/sh\n${s.trap} </dev/null\n`,
      });
      s.git(s.source, "add", "-A");
      s.git(
        s.source,
        "update-index",
        "--chmod=+x",
        ".husky/post-checkout",
        ".husky/reference-transaction",
      );
      s.git(
        s.source,
        "-c",
        "core.hooksPath=/dev/null",
        "commit",
        "-q",
        "--allow-empty",
        "-m",
        "hooks",
      );
      s.git(s.source, "push", "-q", join(s.remotes, "garden.git"), "main");
      config(s, "core.hooksPath", ".husky");
    },
  },
  {
    id: "W04",
    what: "hooks were planted in the shared clone from a worktree",
    plant(s) {
      for (const name of [
        "post-checkout",
        "reference-transaction",
        "post-index-change",
        "post-merge",
      ])
        writeFileSync(join(s.clone, ".git/hooks", name), `#!/bin/sh\n${s.trap} </dev/null\n`, {
          mode: 0o755,
        });
    },
  },
  {
    id: "W05",
    what: "a filter in the shared configuration and attributes in the head",
    plant(s) {
      config(s, "filter.x.smudge", s.trap);
      config(s, "filter.x.clean", s.trap);
      config(s, "filter.x.process", s.trap);
      s.commit({ ".gitattributes": "* filter=x\n", "filtered.txt": "text\n" });
    },
    noted: "filter.x.smudge",
  },
  { id: "W06", what: "core.fsmonitor", plant: (s) => void config(s, "core.fsmonitor", s.trap) },
  {
    id: "W06",
    what: "include.path that brings core.fsmonitor",
    plant(s) {
      writeFileSync(join(s.folder, "included"), `[core]\n\tfsmonitor = ${s.trap}\n`);
      config(s, "include.path", join(s.folder, "included"));
    },
    noted: "include.path",
  },
  {
    id: "W06",
    what: "a configuration of the shared clone that is a link to one elsewhere",
    plant(s) {
      const file = join(s.clone, ".git/config");
      renameSync(file, join(s.folder, "elsewhere"));
      symlinkSync(join(s.folder, "elsewhere"), file);
      config(s, "filter.x.clean", s.trap);
      config(s, "filter.x.smudge", s.trap);
      s.commit({ ".gitattributes": "* filter=x\n" });
    },
    unreached: true,
    naive: () => [fetch, ["merge", "-q", "--ff-only", "refs/remotes/origin/main"]],
    noted: "is a link",
  },
  {
    id: "W06",
    what: "a configuration of one work tree that is a link to one elsewhere",
    plant(s) {
      config(s, "extensions.worktreeConfig", "true");
      writeFileSync(
        join(s.folder, "elsewhere"),
        `[filter "x"]\n\tclean = ${s.trap}\n\tsmudge = ${s.trap}\n`,
      );
      symlinkSync(join(s.folder, "elsewhere"), join(s.clone, ".git/config.worktree"));
      s.commit({ ".gitattributes": "* filter=x\n" });
    },
    unreached: true,
    naive: () => [fetch, ["merge", "-q", "--ff-only", "refs/remotes/origin/main"]],
    noted: "is a link",
  },
  {
    id: "W05",
    what: "a filter whose name is no UTF-8, so that no command line can take it out",
    plant(s) {
      writeFileSync(
        join(s.clone, ".git/config"),
        Buffer.concat([
          readFileSync(join(s.clone, ".git/config")),
          Buffer.from(`[filter "\xe9"]\n\tclean = ${s.trap}\n\tsmudge = ${s.trap}\n`, "latin1"),
        ]),
      );
      s.commit({});
      writeFileSync(join(s.source, ".gitattributes"), Buffer.from("* filter=\xe9\n", "latin1"));
      s.commit({});
    },
    noted: "aside",
  },
  {
    id: "W07",
    what: "remote.origin.uploadpack",
    plant: (s) => void config(s, "remote.origin.uploadpack", s.trap),
    noted: "remote.origin.uploadpack",
  },
  {
    id: "W07",
    what: "url.insteadOf that turns the remote into a program",
    plant(s) {
      config(s, `url.ext::${s.trap} .insteadOf`, `file://${s.remotes}/`);
      config(s, "protocol.ext.allow", "always");
    },
    noted: "insteadof",
  },
  {
    id: "W07",
    what: "core.sshCommand, with a remote that is reached by ssh",
    plant: (s) => void config(s, "core.sshCommand", s.trap),
    cloneUrl: "git@example.org:maria/garden.git",
    noted: "core.sshcommand",
  },
  {
    id: "W07",
    what: "a diff driver with its attributes",
    plant(s) {
      config(s, "diff.x.textconv", s.trap);
      config(s, "diff.external", s.trap);
      s.commit({ ".gitattributes": "* diff=x\n" });
    },
    unreached: true,
    naive: () => [["log", "-p", "--ext-diff", "--textconv", "-1"]],
    noted: "diff.external",
  },
  {
    id: "W08",
    what: "a submodule whose address is a program, and recursing switched on",
    plant(s) {
      s.write(s.source, { ".gitmodules": `[submodule "m"]\n\tpath = m\n\turl = ext::${s.trap}\n` });
      s.git(s.source, "add", "-A");
      s.git(
        s.source,
        "update-index",
        "--add",
        "--cacheinfo",
        `160000,${s.git(s.source, "rev-parse", "HEAD")},m`,
      );
      s.git(s.source, "commit", "-q", "--allow-empty", "-m", "submodule");
      s.git(s.source, "push", "-q", join(s.remotes, "garden.git"), "main");
      config(s, "submodule.recurse", "true");
      config(s, "fetch.recurseSubmodules", "true");
      config(s, "protocol.allow", "always");
    },
    unreached: true,
    naive: () => [
      fetch,
      ["merge", "-q", "--ff-only", "refs/remotes/origin/main"],
      ["-c", "protocol.ext.allow=always", "submodule", "update", "--init"],
    ],
    noted: "protocol.allow",
  },
];

/**
 * Ways to give a repository inside a checkout a configuration that its `.git/config` does not show.
 */
const innerTraps: readonly {
  readonly what: string;
  readonly told: string;
  readonly plant: (inner: string, s: Scratch) => void;
}[] = [
  {
    what: "with a configuration of its work tree beside the usual one",
    told: "filter.x.clean",
    plant(inner, s) {
      s.git(inner, "config", "extensions.worktreeConfig", "true");
      s.git(inner, "config", "--worktree", "filter.x.clean", s.trap);
    },
  },
  {
    what: "that takes its configuration from another repository",
    told: "commondir",
    plant(inner, s) {
      s.git(s.folder, "clone", "-q", "--bare", `file://${s.remotes}/garden.git`, "elsewhere");
      s.git(join(s.folder, "elsewhere"), "config", "core.bare", "false");
      s.git(join(s.folder, "elsewhere"), "config", "filter.x.clean", s.trap);
      writeFileSync(join(inner, ".git/commondir"), `${s.folder}/elsewhere\n`);
    },
  },
  {
    what: "whose configuration is a link to one elsewhere",
    told: "link",
    plant(inner, s) {
      renameSync(join(inner, ".git/config"), join(s.folder, "elsewhere"));
      symlinkSync(join(s.folder, "elsewhere"), join(inner, ".git/config"));
      s.git(inner, "config", "filter.x.clean", s.trap);
    },
  },
];

let scratch: Scratch;
beforeEach(() => void (scratch = createScratch()));
afterEach(() => scratch.stop());

const fired = (): boolean => existsSync(scratch.tripwire);

/**
 * What a workspace does with a repository in which a trap was set: a new checkout, one that stands,
 * and its release with work to save.
 */
async function story(s: Scratch, trap: Trap, workspace: Workspace): Promise<void> {
  const request = requestFor({ cloneUrl: trap.cloneUrl ?? s.cloneUrl }, 8);
  const made = await workspace.prepare(request);
  if (made.kind === "ready") writeFileSync(join(made.workdir, "work.txt"), "unsaved\n");
  await workspace.prepare(request);
  await workspace.release(request.workItem);
}

describe("nothing that a repository brings along runs", () => {
  for (const trap of traps) {
    for (const pool of [0, 1]) {
      test(`${trap.id}: ${trap.what}${pool === 0 ? "" : ", with warm worktrees"}`, async () => {
        const options = {
          ...scratch.options,
          ...(trap.cloneUrl === undefined ? {} : { env: withOwnSsh(scratch) }),
          pool,
        };
        const workspace = createWorkspace(options);
        expect(await workspace.prepare(requestFor(scratch, 7))).toMatchObject({ kind: "ready" });
        if (pool > 0) await workspace.release(requestFor(scratch, 7).workItem);
        trap.plant(scratch);
        rmSync(scratch.tripwire, { force: true });
        await story(scratch, trap, workspace);
        expect(fired()).toBe(false);
        if (trap.noted !== undefined) expect(scratch.notes.join("\n")).toContain(trap.noted);
      });
    }

    test(`control: ${trap.id}: ${trap.what}: without hardening ${trap.unreached === true ? "it fires where git is used carelessly" : "the same story fires"}`, async () => {
      await scratch.workspace.prepare(requestFor(scratch, 7));
      trap.plant(scratch);
      rmSync(scratch.tripwire, { force: true });
      if (trap.unreached === true) for (const args of trap.naive(scratch)) tryGit(args);
      else
        await story(scratch, trap, createCheckouts(scratch.options, careless(scratch))).catch(
          () => undefined,
        );
      expect(fired()).toBe(true);
    });
  }

  test("W02: a branch that is an option to git", async () => {
    await scratch.workspace.prepare(requestFor(scratch, 7));
    const result = await scratch.workspace.prepare(
      requestFor(scratch, 8, { headBranch: `--upload-pack=${scratch.trap}` }),
    );
    expect(result).toMatchObject({ kind: "failed", code: "LOOP_E_WORKSPACE_BRANCH" });
    expect(fired()).toBe(false);
    tryGit(["fetch", "-q", "origin", `--upload-pack=${scratch.trap}`]);
    expect(fired()).toBe(true);
  });

  test("W05: a repository that the session cloned into its checkout is not asked anything", async () => {
    const made = await scratch.workspace.prepare(requestFor(scratch, 7));
    if (made.kind !== "ready") throw new Error(made.detail);
    const inner = join(made.workdir, "vendor");
    scratch.git(made.workdir, "clone", "-q", `file://${scratch.remotes}/garden.git`, inner);
    scratch.git(inner, "config", "filter.x.clean", scratch.trap);
    scratch.write(inner, { ".gitattributes": "* filter=x\n", "README.md": "changed\n" });
    expect(await scratch.workspace.release(requestFor(scratch, 7).workItem)).toMatchObject({
      kind: "kept",
      why: expect.stringContaining("filter.x.clean"),
    });
    expect(fired()).toBe(false);
    expect(existsSync(inner)).toBe(true);
    scratch.git(inner, "status");
    expect(fired()).toBe(true);
  });

  test("W05: a repository inside a checkout with hooks of its own keeps nothing, and runs nothing", async () => {
    const made = await scratch.workspace.prepare(requestFor(scratch, 7));
    if (made.kind !== "ready") throw new Error(made.detail);
    const inner = join(made.workdir, "vendor");
    scratch.git(made.workdir, "clone", "-q", `file://${scratch.remotes}/garden.git`, inner);
    scratch.git(inner, "config", "core.hooksPath", "src/hooks");
    scratch.git(inner, "config", "core.fsmonitor", scratch.trap);
    expect(await scratch.workspace.release(requestFor(scratch, 7).workItem)).toMatchObject({
      kind: "released",
    });
    expect(fired()).toBe(false);
  });

  test.each(innerTraps)("W05: a repository inside a checkout $what", async ({ plant, told }) => {
    const made = await scratch.workspace.prepare(requestFor(scratch, 7));
    if (made.kind !== "ready") throw new Error(made.detail);
    const inner = join(made.workdir, "vendor");
    scratch.git(made.workdir, "clone", "-q", `file://${scratch.remotes}/garden.git`, inner);
    plant(inner, scratch);
    scratch.write(inner, { ".gitattributes": "* filter=x\n", "README.md": "changed\n" });
    rmSync(scratch.tripwire, { force: true });
    expect(await scratch.workspace.release(requestFor(scratch, 7).workItem)).toMatchObject({
      kind: "kept",
      why: expect.stringContaining(told),
    });
    expect(fired()).toBe(false);
    scratch.git(inner, "status");
    expect(fired()).toBe(true);
  });
});

test("W03: hooks that the project itself set up keep working for sessions: the key is overridden, not removed", async () => {
  await scratch.workspace.prepare(requestFor(scratch, 7));
  config(scratch, "core.hooksPath", ".husky");
  await scratch.workspace.prepare(requestFor(scratch, 8));
  expect(scratch.git(scratch.clone, "config", "core.hooksPath")).toBe(".husky");
});

test("a key that is still there after it was taken out takes the whole file with it", async () => {
  const real = createGit(scratch.env);
  const powerless: Git = {
    ...real,
    run: async (where, args, more) =>
      args.includes("--unset-all") ? "" : real.run(where, args, more),
  };
  const workspace = createCheckouts(scratch.options, powerless);
  await workspace.prepare(requestFor(scratch, 7));
  config(scratch, "filter.x.clean", scratch.trap);
  expect(await workspace.prepare(requestFor(scratch, 8))).toMatchObject({ kind: "ready" });
  expect(readFileSync(join(scratch.clone, ".git/config"), "utf8")).not.toContain("filter");
  expect(scratch.notes.join()).toContain("filter.x.clean could not be taken out");
});

test("W10: what was restored in a work tree stays out of commits when the clone's configuration has to be made anew", async () => {
  scratch.commit({}, "patch");
  scratch.commit({ ".mcp.json": "{}\n" });
  const made = await scratch.workspace.prepare(
    requestFor(scratch, 7, { headBranch: "patch", restoreFrom: { branch: "main" } }),
  );
  if (made.kind !== "ready") throw new Error(made.detail);
  writeFileSync(join(scratch.clone, ".git/config"), "[core\nbroken");
  await scratch.workspace.prepare(requestFor(scratch, 8));
  expect(existsSync(join(made.workdir, ".mcp.json"))).toBe(true);
  expect(scratch.git(made.workdir, "status", "--porcelain")).toBe("");
});

test("a repository inside a checkout that names another place for its files keeps the checkout: git would look there", async () => {
  const made = await scratch.workspace.prepare(requestFor(scratch, 7));
  if (made.kind !== "ready") throw new Error(made.detail);
  const inner = join(made.workdir, "vendor");
  scratch.git(made.workdir, "clone", "-q", `file://${scratch.remotes}/garden.git`, inner);
  scratch.git(scratch.folder, "clone", "-q", `file://${scratch.remotes}/garden.git`, "clean");
  scratch.git(inner, "config", "core.worktree", join(scratch.folder, "clean"));
  writeFileSync(join(inner, "precious.txt"), "x");
  expect(await scratch.workspace.release(requestFor(scratch, 7).workItem)).toMatchObject({
    kind: "kept",
    why: expect.stringContaining("core.worktree"),
  });
  expect(existsSync(join(inner, "precious.txt"))).toBe(true);
});

test("what stands in the place of a configuration and is no file is set aside, also where something was set aside before", async () => {
  await scratch.workspace.prepare(requestFor(scratch, 7));
  const file = join(scratch.clone, ".git/config");
  mkdirSync(`${file}.unreadable/folder`, { recursive: true });
  rmSync(file);
  mkdirSync(file);
  expect(await scratch.workspace.prepare(requestFor(scratch, 8))).toMatchObject({ kind: "ready" });
  expect(lstatSync(file).isFile()).toBe(true);
  expect(scratch.git(scratch.clone, "config", "remote.origin.url")).toBe(scratch.cloneUrl);
});

test("W04: a worktree whose record takes its configuration from elsewhere is not used", async () => {
  await scratch.workspace.prepare(requestFor(scratch, 7));
  const record = join(scratch.clone, ".git/worktrees/maria+garden+7");
  scratch.git(scratch.folder, "init", "-q", "elsewhere");
  scratch.git(join(scratch.folder, "elsewhere"), "config", "core.fsmonitor", scratch.trap);
  writeFileSync(join(record, "commondir"), join(scratch.folder, "elsewhere/.git"));
  expect(await scratch.workspace.prepare(requestFor(scratch, 7))).toMatchObject({
    kind: "failed",
    code: "LOOP_E_WORKSPACE_OCCUPIED",
  });
  expect(await scratch.workspace.release(requestFor(scratch, 7).workItem)).toMatchObject({
    kind: "kept",
  });
  expect(fired()).toBe(false);
});

/** Serves the practice remote over http to those who give the password, as a code host does. */
async function serveWithPassword(
  s: Scratch,
): Promise<{ readonly url: string; readonly asked: readonly string[]; stop(): void }> {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(request.headers.authorization ?? "");
    if (
      request.headers.authorization !==
      `Basic ${Buffer.from("maria:own-password").toString("base64")}`
    ) {
      response.writeHead(401, { "www-authenticate": 'Basic realm="practice"' }).end();
      return;
    }
    const { pathname, search } = new URL(request.url ?? "/", "http://h");
    const child = spawn("git", ["http-backend"], {
      env: {
        ...s.env,
        GIT_PROJECT_ROOT: s.remotes,
        GIT_HTTP_EXPORT_ALL: "1",
        PATH_INFO: pathname,
        QUERY_STRING: search.slice(1),
        REQUEST_METHOD: request.method ?? "GET",
        CONTENT_TYPE: request.headers["content-type"] ?? "",
        HTTP_CONTENT_ENCODING: request.headers["content-encoding"] ?? "",
        GIT_PROTOCOL: String(request.headers["git-protocol"] ?? ""),
      },
      stdio: ["pipe", "pipe", "ignore"],
    });
    request.pipe(child.stdin);
    const out: Buffer[] = [];
    child.stdout.on("data", (chunk: Buffer) => void out.push(chunk));
    child.on("close", () => {
      const all = Buffer.concat(out);
      const end = all.indexOf("\r\n\r\n");
      const lines = all
        .subarray(0, end)
        .toString()
        .split("\r\n")
        .map((line) => line.split(": "));
      const status = lines.find(([name]) => name === "Status")?.[1] ?? "200";
      response
        .writeHead(
          Number(status.slice(0, 3)),
          Object.fromEntries(
            lines
              .filter(([name]) => name !== "Status")
              .map(([name = "", value = ""]) => [name, value]),
          ),
        )
        .end(all.subarray(end + 4));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  return {
    url: `http://127.0.0.1:${typeof address === "object" ? (address?.port ?? 0) : 0}/`,
    asked,
    stop: () => void server.close(),
  };
}

describe("the user's own configuration stays in force", () => {
  test("W07: the credential helper of the user's global file logs in, and the clone's own helper is never asked", async () => {
    const server = await serveWithPassword(scratch);
    try {
      writeFileSync(
        join(scratch.home, ".gitconfig"),
        `[credential]\n\thelper = "!f() { echo username=maria; echo password=own-password; }; f"\n`,
      );
      const workspace = createWorkspace({ ...scratch.options, ownBase: server.url });
      const host = new URL(server.url).host;
      const request = requestFor({ cloneUrl: `${server.url}garden.git` }, 7);
      const named = { ...request, repository: { ...request.repository, host } };
      expect(await workspace.prepare(named)).toMatchObject({ kind: "ready" });
      const clone = join(scratch.folder, "root", host.replace(":", "="), "maria/garden");
      scratch.git(clone, "config", "credential.helper", scratch.trap);
      expect(
        await workspace.prepare({ ...named, workItem: { ...named.workItem, number: 8 } }),
      ).toMatchObject({ kind: "ready" });
      expect(fired()).toBe(false);
      expect(server.asked.some((header) => header.startsWith("Basic "))).toBe(true);
      expect(readFileSync(join(clone, ".git/config"), "utf8")).not.toContain("own-password");
    } finally {
      server.stop();
    }
  });

  test("the ssh agent of the user's session is handed on to ssh", async () => {
    const env = withOwnSsh(scratch);
    writeFileSync(
      join(scratch.folder, "own-ssh.sh"),
      `#!/bin/sh\necho "$SSH_AUTH_SOCK" > ${scratch.folder}/agent\nexec git-upload-pack ${scratch.remotes}/garden.git\n`,
      { mode: 0o755 },
    );
    const workspace = createWorkspace({
      ...scratch.options,
      env: { ...env, SSH_AUTH_SOCK: "/run/user/1/agent.sock" },
    });
    expect(
      await workspace.prepare(requestFor({ cloneUrl: "git@example.org:maria/garden.git" }, 7)),
    ).toMatchObject({ kind: "ready" });
    expect(readFileSync(join(scratch.folder, "agent"), "utf8")).toBe("/run/user/1/agent.sock\n");
  });

  test("W07: GIT_SSH_COMMAND of the environment is what ssh runs by", async () => {
    const ssh = join(scratch.folder, "ssh.sh");
    writeFileSync(
      ssh,
      `#!/bin/sh\necho "$@" >> ${scratch.folder}/ssh.log\nexec git-upload-pack ${scratch.remotes}/garden.git\n`,
      { mode: 0o755 },
    );
    const workspace = createWorkspace({
      ...scratch.options,
      env: {
        ...scratch.env,
        GIT_SSH_COMMAND: ssh,
        PATH: `${scratch.git("/", "--exec-path")}:${scratch.env.PATH}`,
      },
    });
    const request = requestFor({ cloneUrl: "git@example.org:maria/garden.git" }, 7);
    expect(await workspace.prepare(request)).toMatchObject({ kind: "ready" });
    config(scratch, "core.sshCommand", scratch.trap);
    expect(
      await workspace.prepare({ ...request, workItem: { ...request.workItem, number: 8 } }),
    ).toMatchObject({ kind: "ready" });
    expect(readFileSync(join(scratch.folder, "ssh.log"), "utf8")).toContain(
      "git@example.org git-upload-pack",
    );
    expect(fired()).toBe(false);
  });

  test("W07: core.sshCommand and insteadOf of the user's global file are followed", async () => {
    const ssh = join(scratch.folder, "ssh.sh");
    writeFileSync(ssh, `#!/bin/sh\nexec git-upload-pack ${scratch.remotes}/garden.git\n`, {
      mode: 0o755,
    });
    writeFileSync(
      join(scratch.home, ".gitconfig"),
      `[core]\n\tsshCommand = ${ssh}\n[url "git@example.org:"]\n\tinsteadOf = https://example.org/\n`,
    );
    const workspace = createWorkspace({
      ...scratch.options,
      env: { ...scratch.env, PATH: `${scratch.git("/", "--exec-path")}:${scratch.env.PATH}` },
    });
    expect(
      await workspace.prepare(requestFor({ cloneUrl: "https://example.org/maria/garden.git" }, 7)),
    ).toMatchObject({ kind: "ready" });
  });

  test("the large-file filter of the user's global file runs", async () => {
    writeFileSync(
      join(scratch.home, ".gitconfig"),
      '[filter "own"]\n\tsmudge = sed s/closed/open/\n\tclean = cat\n',
    );
    scratch.commit({ ".gitattributes": "src/** filter=own\n" });
    const made = await scratch.workspace.prepare(requestFor(scratch, 7));
    expect(
      made.kind === "ready" ? readFileSync(join(made.workdir, "src/gate.txt"), "utf8") : "",
    ).toBe("open\n");
  });
});

test("a configuration that git cannot read is set aside, and work goes on", async () => {
  await scratch.workspace.prepare(requestFor(scratch, 7));
  writeFileSync(join(scratch.clone, ".git/config"), "[core\nbroken");
  expect(await scratch.workspace.prepare(requestFor(scratch, 8))).toMatchObject({ kind: "ready" });
  expect(existsSync(join(scratch.clone, ".git/config.unreadable"))).toBe(true);
  expect(scratch.notes.join()).toContain("unreadable");
});

/** Git as it is, with the user's rights and no care. */
function tryGit(args: readonly string[]): void {
  try {
    scratch.git(scratch.clone, ...args);
  } catch {
    // A trap in the middle of a protocol breaks it; only whether it ran matters.
  }
}

test("every key off the list can be taken out: none is too odd for the tools that take it out", async () => {
  await scratch.workspace.prepare(requestFor(scratch, 7));
  const odd = [
    "filter.x.clean",
    "filter.a b=c.smudge",
    "include.path",
    "includeIf.gitdir:/.path",
    "core.sshCommand",
    "core.gitProxy",
    "core.attributesFile",
    "core.askPass",
    "url.ext::sh.insteadOf",
    "credential.helper",
    "credential.https://x.helper",
    "remote.origin.uploadpack",
    "remote.origin.receivepack",
    "remote.--x.vcs",
    "alias.status",
    "diff.external",
    "diff.x.textconv",
    "merge.x.driver",
    "gpg.program",
    "submodule.x.update",
    "protocol.ext.allow",
    "http.proxy",
    "sequence.editor",
    "uploadpack.packObjectsHook",
    "pager.status",
    "trailer.x.command",
  ];
  const before = readFileSync(join(scratch.clone, ".git/config"), "utf8");
  for (const key of odd) config(scratch, key, "/tmp/trap-value");
  config(scratch, "remote.origin.url", "https://evil.example/x.git");
  expect(await scratch.workspace.prepare(requestFor(scratch, 7))).toMatchObject({ kind: "ready" });
  expect(readFileSync(join(scratch.clone, ".git/config"), "utf8")).not.toContain("trap-value");
  expect(scratch.git(scratch.clone, "config", "remote.origin.url")).toBe(scratch.cloneUrl);
  expect(before).toContain(scratch.cloneUrl);
  expect(scratch.notes.join("\n")).toContain("remote origin led elsewhere");
});
