import { existsSync, lstatSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { run, type Ran } from "./run.ts";
import { objectOf, type Manifest } from "./workspace.ts";

/** What an installation into an empty folder showed. */
export type Installed = {
  readonly name: string;
  readonly installedPackages: number;
  readonly bytes: number;
  /** What went wrong, each in one sentence. */
  readonly failures: readonly string[];
};

/** Installs tarballs with npm into an empty folder, as a stranger would, and uses what came: every entry, every program. */
export function installAndUse(manifest: Manifest, tarballs: readonly string[], folder: string): Installed {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "package.json"), `{ "name": "empty", "private": true }\n`);
  const env = { ...process.env, PATH: `${dirname(process.execPath)}${delimiter}${process.env["PATH"] ?? ""}` };
  const installed = run(["npm", "install", "--no-audit", "--no-fund", "--ignore-scripts", ...tarballs], folder, env);
  const modules = join(folder, "node_modules");
  const failures = installed.code === 0 ? [...importEach(manifest, folder, env), ...helpOfEach(manifest, folder, env)] : [`${manifest.name} does not install: ${lastLines(installed)}`];
  return { name: manifest.name, installedPackages: countPackages(modules), bytes: bytesOf(modules), failures };
}

function importEach({ name, entries }: Manifest, folder: string, env: NodeJS.ProcessEnv): readonly string[] {
  return entries.flatMap((entry) => {
    const specifier = `${name}${entry.slice(1)}`;
    const ran = run([process.execPath, "--input-type=module", "-e", `await import(${JSON.stringify(specifier)})`], folder, env, 30);
    return ran.code === 0 ? [] : [`${specifier} cannot be imported: ${lastLines(ran)}`];
  });
}

function helpOfEach({ name, programs }: Manifest, folder: string, env: NodeJS.ProcessEnv): readonly string[] {
  return programs.flatMap((program) => {
    const ran = run([join(folder, "node_modules", ".bin", program), "--help"], folder, env, 30);
    if (ran.code !== 0) return [`${program} --help (${name}) ended with ${ran.code}: ${lastLines(ran)}`];
    return /^(Usage: |loop-receiver: )/m.test(ran.stdout) ? [] : [`${program} --help (${name}) does not say how it is used`];
  });
}

function lastLines({ stdout, stderr }: Ran): string {
  return `${stdout}${stderr}`.trim().split("\n").slice(-12).join("\n");
}

/** Folders that npm counts as packages, nested ones too. */
function countPackages(modules: string): number {
  const record = join(modules, ".package-lock.json");
  return existsSync(record) ? Object.keys(objectOf(objectOf(JSON.parse(readFileSync(record, "utf8")))["packages"])).length : 0;
}

function bytesOf(folder: string): number {
  if (!existsSync(folder)) return 0;
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return files.reduce((sum, file) => sum + lstatSync(join(file.parentPath, file.name)).size, 0);
}
