import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  writeFileSync,
} from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { consume } from "./consume.ts";
import { useRegistry } from "./publish.ts";
import type { Registry } from "./registry.ts";
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

/**
 * Where packages come from, the TypeScript compiler that their user has, and the folder, which
 * nobody has made yet.
 */
type Place = { readonly registry: Registry; readonly compiler: string; readonly folder: string };

/**
 * Installs the package by its name into an empty folder, as a stranger would, and uses what came:
 * every entry, every program.
 */
export async function installAndUse(
  manifest: Manifest,
  { registry, compiler, folder }: Place,
): Promise<Installed> {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "package.json"), `{ "name": "empty", "private": true }\n`);
  useRegistry(registry, folder);
  const env = {
    ...process.env,
    PATH: `${dirname(process.execPath)}${delimiter}${process.env["PATH"] ?? ""}`,
  };
  const installed = await run(
    ["npm", "install", "--no-audit", "--no-fund", "--ignore-scripts", manifest.name],
    folder,
    env,
  );
  const modules = join(folder, "node_modules");
  const came = {
    name: manifest.name,
    installedPackages: countPackages(modules),
    bytes: bytesOf(modules),
  };
  if (installed.code !== 0)
    return { ...came, failures: [`${manifest.name} does not install: ${lastLines(installed)}`] };
  return {
    ...came,
    failures: [
      ...(await importEach(manifest, folder, env)),
      ...(await helpOfEach(manifest, folder, env)),
      ...(await typesOf(manifest, folder, compiler, env)),
    ],
  };
}

async function importEach(
  { name, entries }: Manifest,
  folder: string,
  env: NodeJS.ProcessEnv,
): Promise<readonly string[]> {
  const failures: string[] = [];
  for (const entry of entries) {
    const specifier = `${name}${entry.slice(1)}`;
    const ran = await run(
      [process.execPath, "--input-type=module", "-e", `await import(${JSON.stringify(specifier)})`],
      folder,
      env,
      30,
    );
    if (ran.code !== 0) failures.push(`${specifier} cannot be imported: ${lastLines(ran)}`);
  }
  return failures;
}

async function helpOfEach(
  { name, programs }: Manifest,
  folder: string,
  env: NodeJS.ProcessEnv,
): Promise<readonly string[]> {
  const failures: string[] = [];
  for (const program of programs) {
    const ran = await run(
      [join(folder, "node_modules", ".bin", program), "--help"],
      folder,
      env,
      30,
    );
    if (ran.code !== 0)
      failures.push(`${program} --help (${name}) ended with ${ran.code}: ${lastLines(ran)}`);
    else if (!/^(Usage: |loop-receiver: )/m.test(ran.stdout))
      failures.push(`${program} --help (${name}) does not say how it is used`);
  }
  return failures;
}

/** Whoever uses more than core in TypeScript has the types of Node. */
async function typesOf(
  manifest: Manifest,
  folder: string,
  compiler: string,
  env: NodeJS.ProcessEnv,
): Promise<readonly string[]> {
  if (manifest.name === "@loopwork/core") return consume(manifest, folder, compiler, []);
  const typed = await run(
    [
      "npm",
      "install",
      "--no-audit",
      "--no-fund",
      "--ignore-scripts",
      "--save-dev",
      "@types/node@24",
    ],
    folder,
    env,
  );
  return typed.code === 0
    ? consume(manifest, folder, compiler, ["node"])
    : [`the types of Node do not install: ${lastLines(typed)}`];
}

/** The end of what a program wrote: where it says why. */
export function lastLines({ stdout, stderr }: Ran): string {
  return `${stdout}${stderr}`.trim().split("\n").slice(-12).join("\n");
}

/** Folders that npm counts as packages, nested ones too. */
function countPackages(modules: string): number {
  const record = join(modules, ".package-lock.json");
  return existsSync(record)
    ? Object.keys(objectOf(objectOf(JSON.parse(readFileSync(record, "utf8")))["packages"])).length
    : 0;
}

function bytesOf(folder: string): number {
  if (!existsSync(folder)) return 0;
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) =>
    entry.isFile(),
  );
  return files.reduce((sum, file) => sum + lstatSync(join(file.parentPath, file.name)).size, 0);
}
