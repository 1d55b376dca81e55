import { mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { recordOf, writeRecord } from "@loopwork-tooling/record";
import { lastLines } from "../install.ts";
import { packAll } from "../pack.ts";
import { publishAll } from "../publish.ts";
import { openRegistry, type Registry } from "../registry.ts";
import { run } from "../run.ts";
import { readManifests } from "../workspace.ts";
import { type Block, blocksOf } from "./blocks.ts";
import { type Script, scripts } from "./documents.ts";
import { openShell } from "./shell.ts";
import { setStage, type Stage } from "./stage.ts";

/**
 * `npm run replay:docs [-- --only FILE --verbose --out FILE]`: types every shell block of the
 * README, the tutorial and the how-to guides as a reader would, in a fresh home with empty caches,
 * with our packages from a registry on loopback and the practice host and harness in place of the
 * real ones. Lists the blocks that are not replayed. Exit 1 when a block fails.
 */
const root = fileURLToPath(new URL("../../../..", import.meta.url));
const { only, verbose, out } = parseArgs({
  options: {
    only: { type: "string" },
    verbose: { type: "boolean", default: false },
    out: { type: "string" },
  },
}).values;
const began = performance.now();
const replayed: Replayed[] = [];
const scratch = mkdtempSync(join(tmpdir(), "loop-replay-"));
const registry = await openRegistry();
try {
  const tarballs = join(scratch, "tarballs");
  mkdirSync(tarballs);
  const refused = await publishAll(
    await packAll(root, tarballs, readManifests(root)),
    registry,
    scratch,
  );
  const failures = [...refused];
  const chosen = scripts.filter(({ file }) => only === undefined || file === only);
  if (chosen.length === 0)
    failures.push(`there is no script for ${only}: ${scripts.map(({ file }) => file).join(", ")}`);
  for (const script of refused.length === 0 ? chosen : [])
    failures.push(...(await replay(script, registry)));
  if (out !== undefined)
    writeRecord(
      out,
      recordOf(
        "npm run -s replay:docs",
        (performance.now() - began) / 1_000,
        { documents: replayed, failures },
        root,
      ),
    );
  process.stdout.write(
    failures.length === 0
      ? "every block that is replayed does what it says\n"
      : `${failures.join("\n")}\n`,
  );
  process.exitCode = failures.length === 0 ? 0 : 1;
} finally {
  await registry.close();
  rmSync(scratch, { recursive: true, force: true });
}

/**
 * What was done with a document's blocks; `leftOut` are those that carry a mark, with where they
 * stand and why.
 */
type Replayed = {
  readonly file: string;
  blocks: number;
  readonly leftOut: { readonly where: string; readonly why: string }[];
};

/**
 * What went wrong in one document, each in one sentence; the blocks after a failure would mean
 * nothing.
 */
async function replay(script: Script, from: Registry): Promise<readonly string[]> {
  const home = mkdtempSync(join(scratch, "home-"));
  const stage = await setStage(home, from, script);
  try {
    const cloned = await run(
      ["git", "clone", "-q", `https://github.com/${script.repository}.git`, script.folder],
      home,
      stage.env,
    );
    if (cloned.code !== 0)
      return [`the reader's clone for ${script.file} fails: ${lastLines(cloned)}`];
    return await typeAll(script, stage);
  } finally {
    if (script.last !== "") await openShell(stage).type(script.last);
    await stage.host.stop();
  }
}

async function typeAll(script: Script, stage: Stage): Promise<readonly string[]> {
  const shell = openShell(stage);
  let heading = "";
  const blocks = blocksOf(readFileSync(join(root, script.file), "utf8"));
  const done: Replayed = { file: script.file, blocks: 0, leftOut: [] };
  replayed.push(done);
  const prepared =
    script.before === "" || blocks.every(({ leftOut }) => leftOut !== null)
      ? null
      : await shell.type(script.before);
  if (prepared !== null && prepared.code !== 0)
    return [
      `what ${script.file} takes for granted ended with ${prepared.code}: ${lastLines(prepared)}`,
    ];
  for (const block of blocks) {
    const where = `${script.file}:${block.line}`;
    if (block.leftOut !== null) {
      process.stdout.write(`--   ${where} is not replayed: ${block.leftOut}\n`);
      done.leftOut.push({ where, why: block.leftOut });
      continue;
    }
    try {
      if (block.heading !== heading) await script.acts[block.heading]?.(stage);
    } catch (error) {
      const { stdout, stderr } = await shell.type("loop status; loop events --limit 20; loop logs");
      return [`before ${where}: ${String(error)}\n${stdout}${stderr}`];
    }
    heading = block.heading;
    const ran = await shell.type(script.typed(block.script, stage));
    process.stdout.write(
      `${ran.code === 0 ? "ok  " : "FAIL"} ${where} ${firstLineOf(block)}\n${verbose ? `${ran.stdout}${ran.stderr}\n` : ""}`,
    );
    if (ran.code !== 0) return [`${where} ended with ${ran.code}: ${lastLines(ran)}`];
    done.blocks += 1;
  }
  return [];
}

function firstLineOf({ script }: Block): string {
  return script.split("\n")[0] ?? "";
}
