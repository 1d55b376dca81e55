import { describe, expect, it } from "vitest";
import { breaches, machineRule, rules, trackedFiles } from "../src/repository-rules.ts";
import { root } from "./scratch.ts";

/** For every rule: where it looks, a line that breaks it, and a line beside it that does not. */
const rows: readonly {
  readonly rule: string;
  readonly path: string;
  readonly bad: readonly string[];
  readonly good: readonly string[];
}[] = [
  {
    rule: "no module mocks",
    path: "packages/core/test/a.test.ts",
    bad: [`vi.mock("./a.ts")`, "vi.doMock(x)", "vi.hoisted(() => 1)"],
    good: ["vi.fn()", "const mock = 1"],
  },
  {
    rule: "no focused, skipped or planned tests",
    path: "packages/core/test/a.test.ts",
    bad: [`it.only("x")`, "describe.skip(", "test.todo(", "it.each.only(", "it.concurrent.skip("],
    good: [`it("only once")`, "it.each(rows)", "it.skipIf(x)"],
  },
  {
    rule: "no decorator syntax",
    path: "packages/cli/src/a.ts",
    bad: [
      "@register class Start {}",
      `@register("start") export class Start {}`,
      "  @bound static go() {}",
    ],
    good: ["/** @see class X */", ` * @param class`, `import "@loopwork/core";`],
  },
  {
    rule: "no compiler ignores",
    path: "packages/cli/src/a.ts",
    bad: ["// @ts-ignore", "// @ts-nocheck", "/* oxlint-disable */", "// eslint-disable-next-line"],
    good: [
      "// @ts-expect-error wrong on purpose",
      "// oxlint-disable-next-line no-control-regex -- the rule of hidden characters",
    ],
  },
  {
    rule: "nothing unfinished",
    path: "packages/cli/src/a.ts",
    bad: [
      "// TODO",
      "// FIXME later",
      `throw new Error("Not implemented")`,
      "// good enough for now",
    ],
    good: ["log(`kept for now: ${why}`)", "// todoist", "// what is known by now"],
  },
  {
    rule: "no package registry",
    path: "docs/a.md",
    bad: [
      "https://registry.example.org/x",
      "http://npm-registry.internal:8080",
      "//host/:_authToken=1",
      "registry=https://x",
    ],
    good: ["the registry is reachable"],
  },
  {
    rule: "sibling imports only in cli/src/start",
    path: "packages/cli/src/runtime/a.ts",
    bad: [
      `import { x } from "@loopwork/store";`,
      `await import("@loopwork/receiver")`,
      `export * from '@loopwork/harness-a/outcome'`,
    ],
    good: [`import { x } from "@loopwork/core/ports";`],
  },
  {
    rule: "cli alone imports the runtime",
    path: "packages/control-plane/src/a.ts",
    bad: [
      `import type { Runtime } from "@loopwork/runtime";`,
      `await import("@loopwork/runtime/records")`,
    ],
    good: [`import type { Store } from "@loopwork/core/ports";`],
  },
  {
    rule: "the runtime opens no file, socket or process",
    path: "packages/runtime/src/turn/a.ts",
    bad: [
      `import { readFile } from "node:fs/promises";`,
      `import type { ChildProcess } from "child_process";`,
      `await import("node:net")`,
      `import { tmpdir } from "node:os";`,
    ],
    good: [
      `import { join } from "node:path";`,
      `import { setImmediate } from "node:timers/promises";`,
    ],
  },
  {
    rule: "tests of a package import no sibling",
    path: "packages/receiver/test/a.test.ts",
    bad: [`import { x } from "@loopwork/store";`],
    good: [`import { x } from "@loopwork/core";`],
  },
  {
    rule: "core waits for nothing",
    path: "packages/core/src/decide/a.ts",
    bad: ["export async function decide() {", "await x;", "new Promise(", "x.then(y)"],
    good: ["/** asynchronous work is done elsewhere */"],
  },
  {
    rule: "accounts are compared by sameAccount alone",
    path: "packages/cli/src/runtime/a.ts",
    bad: [
      "if (event.actor?.login === own) return;",
      "const same = a.login !== b.login;",
      "return author == ownLogin;",
      "each.user.login.toLowerCase()",
      "(login ?? other.login).toLocaleLowerCase()",
      "const key = login.normalize();",
      "sameName(grant.login, login)",
      "policy.authorizedUsers.has(name)",
      "guests.logins.has(name)",
      "known.get(actor.login)",
      "list.includes(author.login)",
      "const isOurs = name === login;",
    ],
    good: [
      "if (login === null) return;",
      `probe.login === "no"`,
      "verb === undefined || login === undefined",
      "sameAccount(author, own)",
      "isListed(account, authorizedUsers)",
      "`@${actor.login}`",
      `reason === "login"`,
      `typeof login !== "string"`,
      "{ login: actor.login, id }",
    ],
  },
  {
    rule: "names fold by foldName alone",
    path: "packages/codehost/src/a.ts",
    bad: [
      "return a.toLowerCase() === b.toLowerCase();",
      "const same = (a: string, b: string) => a.toLocaleLowerCase() === b.toLocaleLowerCase();",
      "if (x >= 128 || y >= 128) return a.toUpperCase() !== b.toUpperCase();",
      'a.localeCompare(b, undefined, { sensitivity: "base" }) === 0',
      'const names = new Intl.Collator("en", { sensitivity: "accent" });',
      "const armed = policy.autoExecuteLabel.toLowerCase();",
      "labels.find((label) => label.toLowerCase() === wanted)",
      "repositories.has(`${ref.owner}/${ref.repo}`.toLowerCase())",
      "repositories.has(fullName(repository).toLowerCase())",
      "refs.has(pullRequest.toLowerCase())",
      "repository.name.toLowerCase()",
    ],
    good: [
      "sameName(a, b)",
      "refs.has(foldName(pullRequest))",
      "const sentence = words.trim().toLowerCase();",
      "harnessSessionId.toLowerCase() === sessionId.toLowerCase()",
      `value.toLowerCase() === "true"`,
      "recorded.toLowerCase() === defaultHost",
    ],
  },
  {
    rule: "programs are started by cli/src/processes/child-process",
    path: "packages/cli/src/notifications/notify.ts",
    bad: [
      `import { spawn } from "node:child_process";`,
      `import { type ChildProcess, execFile } from 'child_process';`,
      `process.getBuiltinModule("node:child_process")`,
      `await import("node:child_process")`,
    ],
    good: [
      `import type { ChildProcess } from "node:child_process";`,
      `import { startProgram } from "./child-process.ts";`,
    ],
  },
  {
    rule: "a planned child gets the environment of its plan",
    path: "packages/cli/src/canary/inspect.ts",
    bad: [
      "const child = await parts.run.spawn({ argv, env: process.env2 });",
      "processes.spawn(plan)",
    ],
    good: ["startProgram(program, args, { env })", "respawn(plan)"],
  },
  {
    rule: "an environment is made by the kind of child",
    path: "packages/cli/src/notifications/notify.ts",
    bad: ["ChildEnvironment.exactly(settings.env)", "ChildEnvironment.planned(parts.settings())"],
    good: ["ChildEnvironment.notification(parts.settings(), passEnv)"],
  },
  {
    rule: "the environment of this process is read where it starts",
    path: "packages/workspace/src/git.ts",
    bad: [
      "const env = options.env ?? process.env;",
      "const { env } = process;",
      "{ ...process.env }",
    ],
    good: ["const { env } = options;", "processEnvironment()"],
  },
  {
    rule: "a request says what becomes of redirects",
    path: "packages/cli/src/runtime/a.ts",
    bad: [
      "const response = await fetch(url);",
      "fetch(url, { signal })",
      `fetch(url, { redirect: "follow" })`,
      "return globalThis.fetch(url, init);",
      `import { request } from "node:https";`,
      `import { createServer, get } from "http";`,
      "https.get(url)",
      `import { request } from "undici";`,
      "const source = new EventSource(url);",
    ],
    good: [
      `await fetch(url, { method, redirect: "error", signal })`,
      `fetch(url, { ...init, redirect: "manual" })`,
      `import { createServer } from "node:http";`,
      `import type { request } from "node:http";`,
      "await git.fetch(remote)",
      "async function fetch(making: Making): Promise<void> {",
    ],
  },
  {
    rule: "what stands below turns/ is opened by plain-file alone",
    path: "packages/cli/src/turn-folder/x.ts",
    bad: [
      'import { closeSync, openSync } from "node:fs";',
      'import { mkdir, readFile } from "node:fs/promises";',
      'import { createReadStream } from "fs";',
      'import { appendFileSync } from "node:fs";',
      'import { truncateSync } from "node:fs";',
      'import * as fs from "node:fs";',
      'const { open } = await import("node:fs/promises");',
      "await writeFile(file, text, { mode: 0o600 });",
    ],
    good: [
      'import { lstat, mkdir, readdir, rename, rm } from "node:fs/promises";',
      'await writeFile(file, text, { mode: 0o600, flag: "wx" });',
      'import { openPlainFile } from "../plain-file.ts";',
    ],
  },
  {
    rule: "no number of a hostile case in a comment",
    path: "packages/core/src/decide/a.ts",
    bad: [" * Older events never re-open (R19).", "// Links are removed as links (W09, W12)."],
    good: [`row("R04", "a replay under a new id"`, " * Older events never re-open (ADR 0013)."],
  },
  {
    rule: "a product package never names tooling",
    path: "packages/cli/src/start/a.ts",
    bad: [`import "@loopwork-tooling/practice-host"`],
    good: [`import "@loopwork/core"`],
  },
];

describe("the rules of this repository", () => {
  it("have each a row below that breaks them", () => {
    expect(rows.map(({ rule }) => rule)).toEqual(rules.map(({ name }) => name));
  });

  it.each(rows)("$rule: finds each breach, with its line", ({ rule, path, bad, good }) => {
    for (const line of bad)
      expect(breaches([{ path, text: `first\n${line}\n` }], rules), line).toContain(
        `${path}:2: ${rule}`,
      );
    for (const line of good)
      expect(
        breaches([{ path, text: line }], rules).filter((found) => found.endsWith(`: ${rule}`)),
        line,
      ).toEqual([]);
  });

  it("read an import list and a request that stand on several lines as one", () => {
    const text = `import {\n  get,\n  request,\n} from "node:http";\nawait fetch(url, {\n  method: "POST",\n  redirect: "error",\n});\nawait fetch(\n  url,\n);\n`;
    const rule = "a request says what becomes of redirects";
    const path = "packages/cli/src/runtime/a.ts";
    expect(breaches([{ path, text }], rules)).toEqual([`${path}:1: ${rule}`, `${path}:9: ${rule}`]);
  });

  it("leave alone the one folder that may import siblings, and the parts of core that describe waiting", () => {
    const text = `import { x } from "@loopwork/store";`;
    expect(breaches([{ path: "packages/cli/src/start/wire.ts", text }], rules)).toEqual([]);
    expect(
      breaches([{ path: "packages/core/src/ports/lock.ts", text: "x.then(y)" }], rules),
    ).toEqual([]);
  });

  it("find the machine on which a file was written", () => {
    const rule = machineRule("/srv2/loop", "/home/ada");
    const text = [
      "cd /srv2/elsewhere",
      `open("/home/ada/notes")`,
      "/home/grace/notes",
      "https://example.org/srv2/x",
      "/srv2",
    ].join("\n");
    expect(breaches([{ path: "README.md", text }], [rule])).toEqual([
      "README.md:1: no path of a machine",
      "README.md:2: no path of a machine",
    ]);
    expect(
      breaches(
        [{ path: "a.ts", text: "/tmp/other/x\n/tmp/clone/x" }],
        [machineRule("/tmp/clone", "/")],
      ),
    ).toEqual(["a.ts:2: no path of a machine"]);
  });

  it("read more than a handful of files of this repository", () => {
    expect(trackedFiles(root).length).toBeGreaterThan(300);
  });
});
