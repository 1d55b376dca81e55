import { spawn, spawnSync, type SpawnSyncReturns } from "node:child_process";
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, describe, expect, it } from "vitest";

const program = fileURLToPath(new URL("../../bootstrap/main.mjs", import.meta.url));

/**
 * A repository with nothing in it but the set-up, and a path on which `npx` only writes down how it
 * was called.
 */
let clone: string;
beforeEach(() => {
  clone = realpathSync(mkdtempSync(join(tmpdir(), "loop-bootstrap-")));
  write("package.json", `{ "packageManager": "pnpm@1.2.3" }`);
  write("pnpm-lock.yaml", "one");
  write("pnpm-workspace.yaml", "");
  write(
    "says.mjs",
    `process.stdout.write("node " + process.argv.slice(2).join(" ")); process.exitCode = 7;`,
  );
  write(
    "tools/npx",
    `#!/bin/sh\necho "npx $*" >> "$CALLS"\nenv | grep -i ^npm_ >> "$CALLS.env"\nmkdir -p node_modules\n[ "$FAIL" = "" ] || { echo "pnpm says why"; exit 1; }\n`,
    0o755,
  );
  symlinkSync(process.execPath, join(clone, "tools/node"));
  mkdirSync(join(clone, "tooling/bootstrap"), { recursive: true });
  cpSync(program, join(clone, "tooling/bootstrap/main.mjs"));
});
afterEach(() => rmSync(clone, { recursive: true, force: true }));

function write(file: string, text: string, mode = 0o644): void {
  mkdirSync(dirname(join(clone, file)), { recursive: true });
  writeFileSync(join(clone, file), text);
  chmodSync(join(clone, file), mode);
}

function environment(more: Readonly<Record<string, string>> = {}): Record<string, string> {
  return {
    PATH: `${join(clone, "tools")}:/usr/local/bin:/usr/bin:/bin`,
    CALLS: join(clone, "calls"),
    ...more,
  };
}

function setUp(
  args: readonly string[],
  more: Readonly<Record<string, string>> = {},
  node: readonly string[] = [],
): SpawnSyncReturns<string> {
  return spawnSync(
    process.execPath,
    [...node, join(clone, "tooling/bootstrap/main.mjs"), ...args],
    { encoding: "utf8", env: environment(more) },
  );
}

const calls = (): string =>
  existsSync(join(clone, "calls")) ? readFileSync(join(clone, "calls"), "utf8") : "";
const install = "npx --yes pnpm@1.2.3 install --frozen-lockfile --reporter=append-only\n";

describe("the set-up", () => {
  it("installs with the pinned pnpm, once for each lockfile", () => {
    expect(setUp(["install"])).toMatchObject({
      status: 0,
      stdout: "",
      stderr: expect.stringContaining("installed in"),
    });
    expect(calls()).toBe(install);
    expect(setUp(["install"])).toMatchObject({ status: 0, stderr: "" });
    expect(calls()).toBe(install);
    write("pnpm-lock.yaml", "two");
    setUp(["install"]);
    expect(calls()).toBe(install + install);
  });

  it("shows what went wrong, ends with 2, and tries again the next time", () => {
    const failed = setUp(["run", "says.mjs"], { FAIL: "yes" });
    expect(failed).toMatchObject({ status: 2, stdout: "" });
    expect(failed.stderr).toContain("pnpm says why");
    expect(failed.stderr).toContain("could not be installed");
    setUp(["install"]);
    expect(calls()).toBe(install + install);
  });

  it("hides npm's own variables from pnpm, and keeps where packages come from", () => {
    setUp(["install"], {
      npm_config_registry: "https://packages.example/",
      npm_config_cafile: "/ca.pem",
      npm_config_local_prefix: "/elsewhere",
      npm_package_name: "x",
      npm_execpath: "/npm",
      npm_config_https_proxy: "http://proxy.example:8080",
    });
    const seen = readFileSync(join(clone, "calls.env"), "utf8");
    expect(seen).toContain("npm_config_registry=https://packages.example/");
    expect(seen).toContain("npm_config_cafile=/ca.pem");
    expect(seen).toContain("npm_config_https_proxy=http://proxy.example:8080");
    expect(seen).not.toMatch(/local_prefix|npm_package_name|npm_execpath/);
  });

  it("gives the program its arguments and takes its exit code, with nothing of its own on standard output", () => {
    expect(setUp(["run", "says.mjs", "--json", "a b"])).toMatchObject({
      status: 7,
      stdout: "node --json a b",
    });
  });

  it("builds before it checks, and checks through pnpm", () => {
    expect(setUp(["check", "--flag"]).status).toBe(0);
    const lines = calls().trim().split("\n");
    expect(lines[1]).toMatch(/ exec turbo run build /);
    expect(lines[2]).toMatch(
      / exec node --conditions=@loopwork\/source .*tooling\/check\/src\/main\.ts --flag$/,
    );
  });

  it("says in one line that a Node is too old, that git is missing, or that there is no such task", () => {
    const older = `data:text/javascript,Object.defineProperty(process.versions, "node", { value: "18.20.1" })`;
    expect(setUp(["check"], {}, ["--import", older])).toMatchObject({
      status: 2,
      stderr: expect.stringMatching(/^loop set-up: Node 20 or newer is needed .*18\.20\.1.*\n$/),
    });
    expect(setUp(["check"], { PATH: join(clone, "tools") })).toMatchObject({
      status: 2,
      stderr: expect.stringMatching(/^loop set-up: git is needed.*\n$/),
    });
    expect(setUp(["chekc"])).toMatchObject({
      status: 2,
      stderr: expect.stringMatching(/^loop set-up: there is no task "chekc".*\n$/),
    });
    expect(calls()).toBe("");
  });

  it("runs everything on the Node of LOOP_CI_NODE while that is set, and on the pinned one again afterwards", () => {
    write("node_modules/.bin/node", `#!/bin/sh\necho pinned\n`, 0o755);
    write("other-node", `#!/bin/sh\n[ "$1" = --version ] || echo other\n`, 0o755);
    const said = (more: Readonly<Record<string, string>> = {}): string =>
      setUp(["run", "says.mjs"], more).stdout;
    const other = { LOOP_CI_NODE: join(clone, "other-node") };
    expect([said(), said(other), said(other), said(), said()]).toEqual([
      "pinned\n",
      "other\n",
      "other\n",
      "pinned\n",
      "pinned\n",
    ]);
    expect(setUp(["run", "says.mjs"], { LOOP_CI_NODE: join(clone, "none") })).toMatchObject({
      status: 2,
      stderr: expect.stringContaining("LOOP_CI_NODE is no Node that runs"),
    });
  });

  it.each(["SIGTERM", "SIGHUP", "SIGINT"] as const)(
    "hands %s on and waits for the program to wind down",
    async (signal) => {
      write(
        "stays.mjs",
        `process.on(${JSON.stringify(signal)}, () => setTimeout(() => { process.stdout.write("wound down"); process.exit(5); }, 50));\nprocess.stdout.write("up ");\nsetInterval(() => {}, 1000);`,
      );
      const child = spawn(
        process.execPath,
        [join(clone, "tooling/bootstrap/main.mjs"), "run", "stays.mjs"],
        { env: environment(), stdio: ["ignore", "pipe", "ignore"] },
      );
      let said = "";
      child.stdout.on("data", (chunk: Buffer) => {
        said += chunk.toString();
        if (said === "up ") child.kill(signal);
      });
      const code = await new Promise((resolve) => child.on("close", resolve));
      expect(said).toBe("up wound down");
      expect(code).toBe(5);
    },
  );
});
