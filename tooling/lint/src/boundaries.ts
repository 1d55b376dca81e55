import { execFileSync } from "node:child_process";
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

/** What dependency-cruiser found in the built files. */
export type Cruise = { readonly modules: number; readonly violations: readonly string[] };

/**
 * Reads the built files of every package and checks who imports whom (design: Packages). The sources are written for a
 * compiler that the tool does not know, and it would then read nothing and be content: so the number of modules counts too.
 */
export function cruise(root: string): Cruise {
  const dists = readdirSync(join(root, "packages")).map((name) => `packages/${name}/dist`).filter((dist) => existsSync(join(root, dist)));
  const output = execFileSync(process.execPath, [join(root, "node_modules", "dependency-cruiser", "bin", "dependency-cruiser.mjs"), "--config", join(root, "tooling", "lint", "dependency-cruiser.json"), "--output-type", "json", ...dists], { cwd: root, encoding: "utf8", maxBuffer: 256 * 1024 * 1024, stdio: ["ignore", "pipe", "inherit"] });
  const { modules, summary }: { modules: readonly unknown[]; summary: { violations: readonly { rule: { name: string }; from: string; to: string }[] } } = JSON.parse(output);
  return { modules: modules.length, violations: summary.violations.map(({ rule, from, to }) => `${rule.name}: ${from} → ${to}`) };
}

/** Problems for people; empty when all is well. A check that read nothing is a problem of its own. */
export function judge(found: Cruise, expectedAtLeast: number): readonly string[] {
  return [...(found.modules < expectedAtLeast ? [`only ${found.modules} modules were read, at least ${expectedAtLeast} were expected: is everything built?`] : []), ...found.violations];
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  const found = cruise(process.cwd());
  const problems = judge(found, 100);
  process.stdout.write([`${found.modules} modules read`, ...problems, ""].join("\n"));
  process.exitCode = problems.length === 0 ? 0 : 1;
}
