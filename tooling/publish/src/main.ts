import { existsSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { recordOf, writeRecord } from "@loopwork-tooling/record";
import { installAndUse, type Installed } from "./install.ts";
import { judge } from "./judge.ts";
import { packAll } from "./pack.ts";
import { publishAll } from "./publish.ts";
import { openRegistry } from "./registry.ts";
import { serveAll, serveReceiver } from "./serve.ts";
import { readManifests } from "./workspace.ts";

/**
 * `npm run test:publish [-- --json --out FILE]`: packs every package, publishes all to a registry
 * on loopback, installs each by its name into an empty folder, imports its entries from JavaScript
 * and from TypeScript, asks its programs for help, and lets the receiver and the whole service take
 * deliveries. Exit 1 when something would not work for a user.
 */
const root = fileURLToPath(new URL("../../..", import.meta.url));
const { json, out } = parseArgs({
  options: { json: { type: "boolean", default: false }, out: { type: "string" } },
}).values;
const began = performance.now();
const compiler = join(root, "node_modules", "typescript", "bin", "tsc");
const scratch = mkdtempSync(join(tmpdir(), "loop-publish-"));
const registry = await openRegistry();
const plugin = "node_modules/@loopwork/cli/plugin/loop/.claude-plugin/plugin.json";
try {
  const manifests = readManifests(root);
  const into = join(scratch, "tarballs");
  mkdirSync(into);
  process.stderr.write(`packing ${manifests.length} packages and publishing them on loopback\n`);
  const refused = await publishAll(await packAll(root, into, manifests), registry, scratch);
  const installed: Installed[] = [];
  for (const manifest of refused.length === 0 ? manifests : []) {
    const result = await installAndUse(manifest, {
      registry,
      compiler,
      folder: folderOf(manifest.name),
    });
    const word = result.failures.length === 0 ? "ok  " : "FAIL";
    process.stderr.write(
      `${word} ${manifest.name}: ${result.installedPackages} packages, ${(result.bytes / 1e6).toFixed(1)} MB\n`,
    );
    installed.push(result);
  }
  process.stderr.write("starting the installed receiver, then the whole installed service\n");
  const served = [
    ...(await serveReceiver(folderOf("@loopwork/receiver"))),
    ...(await serveAll(folderOf("@loopwork/cli"))),
  ];
  const failures = [
    ...refused,
    ...judge(installed, served, existsSync(join(folderOf("@loopwork/cli"), plugin))),
  ];
  tell({
    packages: installed.map(({ name, installedPackages, bytes }) => ({
      name,
      installedPackages,
      bytes,
    })),
    failures,
  });
  process.exitCode = failures.length === 0 ? 0 : 1;
} finally {
  await registry.close();
  rmSync(scratch, { recursive: true, force: true });
}

function folderOf(name: string): string {
  return join(scratch, name.replace("/", "-"));
}

/**
 * Puts the report on record where `--out` asks for it, and prints it, for a program or for a
 * person.
 */
function tell(report: {
  readonly packages: readonly Omit<Installed, "failures">[];
  readonly failures: readonly string[];
}): void {
  const { failures } = report;
  if (out !== undefined)
    writeRecord(
      out,
      recordOf(
        "npm run -s test:publish -- --json",
        (performance.now() - began) / 1_000,
        report,
        root,
      ),
    );
  if (json) process.stdout.write(`${JSON.stringify(report)}\n`);
  else
    process.stdout.write(
      failures.length === 0 ? "every package installs and runs\n" : `${failures.join("\n")}\n`,
    );
}
