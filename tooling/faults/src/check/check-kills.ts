import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { readPrompts } from "../transcripts.ts";
import { readStore } from "./ask.ts";
import { check } from "./check.ts";
import type { Evidence } from "./evidence.ts";
import { readServiceTexts } from "./service-texts.ts";

/**
 * A run of random kills, at its end: the last life still runs. `taken`: ids of what was
 * acknowledged.
 */
export type KilledRun = {
  readonly scratch: string;
  readonly serviceUrl: string;
  readonly taken: readonly string[];
  readonly livest: ReadonlyMap<string, number>;
};

/** A last life that changes nothing more for so long, in milliseconds, has come to rest. */
const nothingNewMs = 40_000;

/**
 * Every invariant but those of words, which the judge counts one by one; looks again while anything
 * changes.
 */
export async function checkKills(run: KilledRun): Promise<readonly string[]> {
  let found = await look(run);
  for (
    let changedAt = performance.now();
    found.length > 0 && performance.now() - changedAt < nothingNewMs;
    await sleep(500)
  ) {
    const next = await look(run);
    if (next.join() !== found.join()) changedAt = performance.now();
    found = next;
  }
  return found;
}

async function look({ scratch, serviceUrl, taken, livest }: KilledRun): Promise<readonly string[]> {
  const state = join(scratch, ".loop");
  const store = await readStore(`sqlite:${join(state, "loop.db")}`);
  const configDir = join(scratch, "home", ".claude");
  const trustFile = join(configDir, ".claude.json");
  const shown = await readServiceTexts(serviceUrl, join(state, "control-plane.token"));
  const texts: Evidence["texts"] = [
    ...shown,
    { where: "the log", text: readFileSync(join(scratch, "daemon.log"), "utf8") },
    ...readPrompts(configDir).map(({ receipt, text }) => ({ where: `prompt ${receipt}`, text })),
    ...(store?.events ?? []).map(({ id, fields }) => ({
      where: `line ${id} of the event log`,
      text: fields,
    })),
  ];
  return check({
    sent: taken.map((id) => ({ id, statuses: [202], forbidden: false })),
    store,
    posts: [],
    prompts: [],
    expected: new Map(),
    authorized: ["ada"],
    livest,
    trust: existsSync(trustFile)
      ? [{ file: trustFile, text: readFileSync(trustFile, "utf8"), foreign: "" }]
      : [],
    secrets: ["practice-secret", "practice-token"],
    texts,
    strayPaths: readdirSync(join(scratch, "home"))
      .filter((name) => name !== ".gitconfig" && name !== ".claude")
      .map((name) => `home/${name}`),
  });
}
