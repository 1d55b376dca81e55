import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { cyclesIn } from "./folders.ts";
import { readLayerBreaches } from "./layers-of-core.ts";

/** What dependency-cruiser found in the built files, and which packages were not built. */
export type Cruise = {
  readonly modules: number;
  readonly unbuilt: readonly string[];
  readonly violations: readonly string[];
};

type Report = {
  readonly modules: readonly unknown[];
  readonly summary: {
    readonly violations: readonly {
      readonly rule: { readonly name: string };
      readonly from: string;
      readonly to: string;
    }[];
  };
};

/**
 * Reads the built files of every package and checks who imports whom. The sources are written for a
 * compiler that the tool does not know, and it would then read nothing and be content: so the
 * number of modules counts too.
 */
export function cruise(root: string): Cruise {
  const names = readdirSync(join(root, "packages"));
  const built = names.filter((name) => existsSync(join(root, "packages", name, "dist")));
  const unbuilt = names.filter((name) => !built.includes(name));
  if (built.length === 0) return { modules: 0, unbuilt, violations: [] };
  const { modules, summary } = runCruiser(
    root,
    built.map((name) => `packages/${name}/dist`),
  );
  return {
    modules: modules.length,
    unbuilt,
    violations: [
      ...summary.violations.map(({ rule, from, to }) => `${rule.name}: ${from} → ${to}`),
      ...names.flatMap((name) => folderCycles(root, name)),
    ],
  };
}

/**
 * Folders of a package that lead to each other, by imports of values or of types alone: the built
 * files no longer have the latter.
 */
function folderCycles(root: string, name: string): readonly string[] {
  const folder = join("packages", name, "src");
  if (!existsSync(join(root, folder))) return [];
  const sources = readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
    .filter((file) => /\.tsx?$/.test(file))
    .map((file) => ({
      path: join(folder, file),
      lines: readFileSync(join(root, folder, file), "utf8").split("\n"),
    }));
  return cyclesIn(sources).map(
    (pair) => `no-folder-cycles: ${folder}: ${pair.replace(" ", " ⇄ ")}`,
  );
}

function runCruiser(root: string, folders: readonly string[]): Report {
  const program = join(root, "node_modules", "dependency-cruiser", "bin", "dependency-cruiser.mjs");
  const config = join(root, "tooling", "lint", "dependency-cruiser.json");
  const argv = [program, "--config", config, "--output-type", "json", ...folders];
  return JSON.parse(
    execFileSync(process.execPath, argv, {
      cwd: root,
      encoding: "utf8",
      maxBuffer: 256 * 1024 * 1024,
      stdio: ["ignore", "pipe", "inherit"],
    }),
  );
}

/**
 * Problems for people; empty when all is well. A check that read too little is a problem of its
 * own.
 */
export function judge(found: Cruise, expectedAtLeast: number): readonly string[] {
  const few =
    found.modules < expectedAtLeast
      ? [
          `only ${found.modules} modules were read, at least ${expectedAtLeast} were expected: is everything built?`,
        ]
      : [];
  return [
    ...few,
    ...found.unbuilt.map((name) => `packages/${name} is not built`),
    ...found.violations,
  ];
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  const found = cruise(process.cwd());
  const problems = [...judge(found, 100), ...readLayerBreaches(process.cwd(), 250)];
  process.stdout.write([`${found.modules} modules read`, ...problems, ""].join("\n"));
  process.exitCode = problems.length === 0 ? 0 : 1;
}
