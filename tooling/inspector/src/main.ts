import { writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { openScene, playStory } from "@loopwork-tooling/browser";
import { inspectorChecks } from "./checks.ts";
import { openInspector, type Inspector } from "./inspect.ts";

/**
 * The part of `npm run test:real` that needs the inspector. Tells each check, and writes the counts
 * to the file that `--report` names.
 */
const { values } = parseArgs({
  options: {
    only: { type: "string", default: "" },
    report: { type: "string" },
    "allow-missing": { type: "boolean", default: false },
  },
});
const checks = inspectorChecks.filter(({ id }) => id.includes(values.only));
const count = { passed: 0, failed: 0, skipped: 0 };

if (checks.length > 0) await runAll();
if (values.report !== undefined) writeFileSync(values.report, JSON.stringify(count));
process.exitCode = count.failed > 0 ? 1 : 0;

async function runAll(): Promise<void> {
  const scene = await openScene();
  try {
    const inspector = find(`${scene.url}mcp`, scene.token);
    if (inspector === null) return;
    process.stdout.write(
      `inspector: ${inspector.version}; ${checks.length} checks in front of the real service\n`,
    );
    const story = await playStory(scene);
    for (const { id, title, run } of checks) {
      const started = performance.now();
      const failure = await run({ inspector, scene, story }).then(
        () => null,
        (error: unknown) => (error instanceof Error ? error.message : String(error)),
      );
      count[failure === null ? "passed" : "failed"] += 1;
      process.stdout.write(
        `${failure === null ? "ok  " : "FAIL"} ${id} ${title} (${Math.round(performance.now() - started)} ms)\n${failure === null ? "" : `     ${failure.split("\n").slice(0, 24).join("\n     ")}\n`}`,
      );
    }
    inspector.close();
  } finally {
    await scene.close();
  }
}

/** Null when it cannot be had; that is counted here. */
function find(url: string, token: string): Inspector | null {
  try {
    return openInspector(url, token);
  } catch (error) {
    process.stdout.write(
      `inspector: cannot be had${values["allow-missing"] ? ", which is allowed" : ""}: ${error instanceof Error ? error.message : String(error)}\n`,
    );
    count[values["allow-missing"] ? "skipped" : "failed"] += checks.length;
    return null;
  }
}
