import { spawnSync } from "node:child_process";
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { compileCache } from "@loopwork-tooling/practice-host";
import { expect, onTestFinished, test } from "vitest";

const own = fileURLToPath(new URL("../../", import.meta.url));

/** The command line with all its packages but those named, as npm would lay them out. */
function installWithout(...missing: readonly string[]): string {
  const dir = mkdtempSync(join(tmpdir(), "loop-install-"));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  cpSync(join(own, "src"), join(dir, "cli/src"), { recursive: true });
  cpSync(join(own, "package.json"), join(dir, "cli/package.json"));
  mkdirSync(join(dir, "node_modules/@loopwork"), { recursive: true });
  for (const name of packagesOf(join(own, "node_modules")))
    if (!missing.includes(name))
      symlinkSync(join(own, "node_modules", name), join(dir, "node_modules", name));
  return dir;
}

function packagesOf(folder: string): readonly string[] {
  return ["", "@loopwork/"].flatMap((scope) =>
    readdirSync(join(folder, scope))
      .filter((name) => !name.startsWith("@") && !name.startsWith("."))
      .map((name) => `${scope}${name}`),
  );
}

function status(
  dir: string,
  config: string,
  url: string,
): { readonly code: number | null; readonly err: string } {
  const bin = join(dir, "cli/src/bin.ts");
  writeFileSync(join(dir, "cli-config.yaml"), config);
  const { status: code, stderr } = spawnSync(
    process.execPath,
    ["--conditions=@loopwork/source", bin, "status"],
    {
      cwd: dir,
      encoding: "utf8",
      env: {
        PATH: process.env["PATH"] ?? "",
        HOME: dir,
        LOOP_CONFIG: join(dir, "cli-config.yaml"),
        STORE_URL: url,
        ...compileCache(),
      },
    },
  );
  return { code, err: stderr };
}

test("says which package to install where the store is PostgreSQL's and its driver isn't there", () => {
  const { code, err } = status(
    installWithout("@loopwork/store-postgres"),
    "state: { root: state }\nstore: { urlEnv: STORE_URL }\ninstance: { name: one }\n",
    "postgres://loop:secret@127.0.0.1:1/loop",
  );
  expect(code).toBe(2);
  expect(err).toContain("@loopwork/store-postgres is not installed (LOOP_E_STORE_DRIVER)");
  expect(err).toContain("npm install -g @loopwork/store-postgres");
  expect(err).not.toContain("secret");
});

test("needs no driver of PostgreSQL for a store of its own machine", () => {
  const { err } = status(
    installWithout("@loopwork/store-postgres"),
    "state: { root: state }\n",
    "",
  );
  expect(err).toBe("");
});
