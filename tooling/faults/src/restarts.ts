import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { createPracticeHost, freePort } from "@loopwork-tooling/practice-host";
import { type FloodReport, startFlood } from "./flood.ts";
import { judge } from "./judge.ts";
import { startLoad } from "./load.ts";
import { createRandom } from "./random.ts";
import { settled, writeScene } from "./run.ts";
import { untilUp } from "./until-up.ts";
import { readPrompts } from "./transcripts.ts";

export type RestartRun = {
  readonly restarts: number;
  readonly rate: number;
  readonly seed: number;
  readonly lanes: number;
  readonly say: (text: string) => void;
};

/**
 * `accepted` counts what was answered 202, `stored` what of that is in the store; `doubled` counts
 * rows, decisions and messages alike.
 */
export type RestartReport = Omit<FloodReport, "accepted"> & {
  readonly restarts: number;
  readonly rate: number;
  readonly accepted: number;
  readonly stored: number;
  readonly turnsExpected: number;
  readonly lost: number;
  readonly doubled: number;
  readonly violations: readonly string[];
};

const nothingNewMs = 30_000;
/** Between two restarts, in milliseconds. */
const pauseMs = 300;

/**
 * Restarts the detached service, as people do, while deliveries come at a steady rate and a few
 * items are worked on.
 */
export async function runRestarts({
  restarts,
  rate,
  seed,
  lanes,
  say,
}: RestartRun): Promise<RestartReport> {
  const scratch = mkdtempSync(join(tmpdir(), "loop-restarts-"));
  const host = await createPracticeHost({
    owner: "practice",
    repo: "garden",
    users: [{ login: "loop-agent", token: "practice-token" }],
  });
  const [port, servicePort] = [await freePort(), await freePort()];
  const env = writeScene(scratch, host, port, servicePort);
  const url = `http://127.0.0.1:${port}/host-webhook`;
  const stage = {
    owner: "practice",
    repo: "garden",
    hostUrl: host.url,
    cloneUrl: host.cloneUrl,
    secret: "practice-secret",
  };
  const loop = (...argv: string[]): Promise<void> => runLoop(argv, scratch, env);
  try {
    await loop("start");
    await untilUp(`http://127.0.0.1:${port}/health`);
    const load = startLoad({
      stage,
      url,
      lanes,
      random: createRandom(seed),
      repeatShare: 0.2,
      pauseMs: 500,
    });
    const flood = startFlood(stage, url, rate);
    for (let done = 1; done <= restarts; done++) {
      await sleep(pauseMs);
      await loop("restart");
      if (done % 5 === 0) say(`${done} restarts`);
    }
    const { accepted, ...counts } = await flood.stop();
    await load.stop();
    const judged = await settled(
      () => judge(load.expected(), readPrompts(join(scratch, "home", ".claude"))),
      nothingNewMs,
    );
    await loop("stop");
    const rows = inspectStore(join(scratch, ".loop", "loop.db"), accepted);
    const report = {
      restarts,
      rate,
      ...counts,
      accepted: accepted.length,
      stored: rows.stored,
      turnsExpected: judged.turnsExpected,
      lost: judged.lost,
      doubled: judged.doubled + rows.doubled,
      violations: judged.violations,
    };
    if (
      counts.answeredLater + counts.unanswered > 0 ||
      judged.violations.length > 0 ||
      rows.stored !== accepted.length
    )
      say(
        readFileSync(join(scratch, ".loop", "logs", "service.log"), "utf8")
          .split("\n")
          .slice(-60)
          .join("\n"),
      );
    return report;
  } finally {
    await loop("stop").catch(() => {});
    await host.stop();
    rmSync(scratch, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** Looks at the tables themselves: who is judged does not judge. */
export function inspectStore(
  file: string,
  accepted: readonly string[],
): { readonly stored: number; readonly doubled: number } {
  const db = new DatabaseSync(file, { readOnly: true });
  try {
    const rows = db
      .prepare(
        "select d.id, count(*) as times, count(distinct d.seq) as deliveries from delivery d left join decision x on x.seq = d.seq group by d.id",
      )
      .all();
    const times = new Map(rows.map(({ id, times: count }) => [String(id), Number(count)]));
    return {
      stored: accepted.filter((id) => times.has(id)).length,
      doubled: accepted.filter((id) => (times.get(id) ?? 0) > 1).length,
    };
  } finally {
    db.close();
  }
}

/**
 * As it is built, since running from source compiles module after module while deliveries wait.
 * Exit 1 is an answer: on a busy machine a service that was just taken over may answer late.
 */
function runLoop(
  argv: readonly string[],
  cwd: string,
  env: Readonly<Record<string, string>>,
): Promise<void> {
  const bin = fileURLToPath(new URL("../../../packages/cli/dist/bin.js", import.meta.url));
  return new Promise((resolve, reject) => {
    execFile(process.execPath, [bin, ...argv], { cwd, env, timeout: 120_000 }, (error, out, err) =>
      error !== null && error.code !== 1
        ? reject(new Error(`loop ${argv.join(" ")}: ${out}${err}`))
        : resolve(),
    );
  });
}
