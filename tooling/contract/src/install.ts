import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { installPinned } from "./npm-ci.ts";

const source = fileURLToPath(new URL("../real", import.meta.url));

/** The one version whose behaviour the contract proves; it stands in real/package.json. */
export function pinnedVersion(): string {
  const manifest: { dependencies: Record<string, string> } = JSON.parse(
    readFileSync(path.join(source, "package.json"), "utf8"),
  );
  const version = manifest.dependencies["@anthropic-ai/claude-code"];
  if (version === undefined) throw new Error("real/package.json pins no version of the harness");
  return version;
}

/**
 * Installs the real harness and answers with the path of its native program. Its install script
 * only links that program, so none is needed. Throws with npm's words.
 */
export function installReal(): string {
  const folder = installPinned(source, `harness-a-${pinnedVersion()}`);
  const program = programIn(folder);
  if (program === null)
    throw new Error(`there is no build of the harness for ${process.platform} ${process.arch}`);
  return program;
}

/** The platform package's own program; on Linux there is one for each of the two C libraries. */
function programIn(folder: string): string | null {
  const base = `claude-code-${process.platform}-${process.arch}`;
  const candidates = [base, `${base}-musl`].map((name) =>
    path.join(folder, "node_modules/@anthropic-ai", name, "claude"),
  );
  return candidates.find((candidate) => existsSync(candidate) && runs(candidate)) ?? null;
}

function runs(program: string): boolean {
  return (
    spawnSync(program, ["--version"], {
      env: { PATH: "/usr/bin:/bin", HOME: "/nonexistent", DISABLE_AUTOUPDATER: "1" },
    }).status === 0
  );
}
