import { execFileSync } from "node:child_process";
import { randomUUID } from "node:crypto";
import { writeFileSync } from "node:fs";
import { openScene, processes, realSubject, type Scene } from "@loopwork-tooling/contract";
import { createSandbox, defaults } from "@loopwork/harness-a";
import type { TurnTimes } from "../sandbox.ts";

/**
 * Times turns of the real harness: `time-turns.ts HARNESS REPORT ROUNDS MANY`. Each round runs the
 * four kinds of turn once, every other round in reverse. Runs as a user without privileges, as a
 * sandbox of root's is none.
 */
const [program = "", report = "", rounds = "", many = ""] = process.argv.slice(2);
const kinds = [
  { sandboxed: false, commands: 1 },
  { sandboxed: true, commands: 1 },
  { sandboxed: false, commands: Number(many) },
  { sandboxed: true, commands: Number(many) },
];

const subject = await realSubject(program);
const scene = openScene(subject);
const environment = scene.environment();
// One for all turns, as in a service: what npm is configured with is asked once.
const sandbox = createSandbox(
  {
    ...defaults,
    command: program,
    environment,
    home: environment["HOME"] ?? "",
    processes,
    probeDir: scene.turnDir,
  },
  { runner: "headless", programs: [] },
);
const times: TurnTimes[] = kinds.map((kind) => ({ ...kind, ms: [] }));
try {
  execFileSync("git", ["init", "-q", scene.workdir]);
  for (const kind of kinds) await timeTurn(scene, kind); // The first of a kind reads the program from disk.
  for (let round = 0; round < Number(rounds); round++) {
    for (const each of round % 2 === 0 ? times : times.toReversed()) {
      each.ms.push(await timeTurn(scene, each));
    }
  }
} finally {
  scene.close();
  await subject.close();
}
writeFileSync(report, JSON.stringify(times));
process.exit();

/** Milliseconds of one turn from its spawn to its exit, the sandbox's own files included. */
async function timeTurn(
  place: Scene,
  { sandboxed, commands }: (typeof kinds)[number],
): Promise<number> {
  const [sessionId, receipt] = [randomUUID(), randomUUID()];
  const prompt = Array.from({ length: commands }, () => "{{stub:bash true}}").join(" ");
  const start = performance.now();
  const files = sandboxed
    ? await sandbox.open({
        receipt,
        turnDir: place.turnDir,
        checkout: place.workdir,
        alsoIn: [],
        hide: [],
        locked: [],
        read: [],
        write: [],
        domains: [],
        exclude: [],
        env: environment,
        passEnv: [],
      })
    : null;
  const ended = await place.turn(prompt, {
    sessionId,
    receipt,
    ...(files === null ? {} : { sandbox: files }),
  });
  if (sandboxed) await sandbox.close(place.turnDir, receipt);
  const took = performance.now() - start;
  const ran = place.transcript(sessionId).filter((row) => "toolUseResult" in row);
  if (ended.outcome.kind !== "done" || ran.length !== commands) {
    throw new Error(
      `a turn ran ${ran.length} of ${commands} commands and ended as ${JSON.stringify(ended.outcome)}`,
    );
  }
  return took;
}
