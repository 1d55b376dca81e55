import type { Candidate } from "@loopwork/core/learnings";
import { createRandom } from "./bootstrap.ts";

/** What is planted, and what should have become of it at the end. */
export type Planted = {
  readonly kind: "true" | "severe" | "false" | "changed" | "ended";
  /**
   * Texts in which it was said, the last one standing at the end; of an ended one the text that
   * ended.
   */
  readonly texts: readonly string[];
};

export type Stream = {
  readonly candidates: readonly Candidate[];
  readonly planted: readonly Planted[];
};

type Some<T> = readonly [T, ...T[]];

const things: Some<string> = [
  "gateway",
  "scheduler",
  "importer",
  "mailer",
  "renderer",
  "indexer",
  "archiver",
  "notifier",
  "resolver",
  "balancer",
  "tokenizer",
  "profiler",
  "planner",
  "compactor",
  "replicator",
  "collector",
  "formatter",
  "uploader",
  "validator",
  "translator",
];
const aspects = [
  "cache",
  "retry limit",
  "log level",
  "fixture data",
  "start-up order",
  "page size",
  "time zone",
  "lock file",
  "health probe",
  "queue depth",
  "license header",
  "error budget",
  "icon set",
];
const values: Some<string> = [
  "redis",
  "twelve",
  "verbose",
  "golden files",
  "after postgres",
  "fifty rows",
  "utc",
  "pnpm",
  "slash ready",
  "two hundred",
];
const laterValues: Some<string> = ["utc", "pnpm", "verbose", "twelve", "fifty rows"];
const dayMs = 24 * 60 * 60 * 1000;

/**
 * A thousand candidates over sixty days out of one seed: 120 facts met four times, 100 severe ones
 * met once, 200 false ones met once, 30 facts whose value changes half-way, and 10 that end; in
 * random order and two wordings.
 *
 * @param end milliseconds since 1970 at which the stream ends
 */
export function generate(seed: number, end: number): Stream {
  const random = createRandom(seed);
  const pick = <T>(among: Some<T>): T => among[Math.floor(random() * among.length)] ?? among[0];
  const pairs = things
    .flatMap((thing) => aspects.map((aspect) => `${aspect} of the ${thing}`))
    .map((pair) => ({ pair, at: random() }))
    .toSorted((one, other) => one.at - other.at)
    .map(({ pair }) => pair);
  const planted: Planted[] = [];
  const candidates: Candidate[] = [];
  const say = (text: string, from: number, to: number, severe = false): void => {
    const at = Math.floor(end - 60 * dayMs + (from + random() * (to - from)) * 60 * dayMs);
    const id = `g-${String(candidates.length).padStart(4, "0")}`;
    candidates.push({
      id,
      text,
      category: pick(["testing", "build", "tools", "data"] as const),
      signal: { kind: "test-fail", by: "check", ref: "" },
      severity: severe ? "high" : pick(["low", "medium"] as const),
      severityReason: severe ? "prod-outage" : null,
      workItem: `host:acme/shop#${1 + Math.floor(random() * 80)}`,
      run: id,
      harness: "A",
      instance: "default",
      at,
      evidence: "",
    });
  };
  const worded = (pair: string, value: string): Some<string> => [
    `The ${pair} is ${value}`,
    `The ${pair} must be ${value}`,
  ];
  const times = (count: number, what: () => void): void => void Array.from({ length: count }, what);

  for (const pair of pairs.slice(0, 120)) {
    const texts = worded(pair, pick(values));
    times(4, () => say(pick(texts), 0, 1));
    planted.push({ kind: "true", texts });
  }
  for (const pair of pairs.slice(120, 220)) {
    const texts = [`Never change the ${pair} in production`];
    say(texts[0] ?? "", 0, 1, true);
    planted.push({ kind: "severe", texts });
  }
  for (const pair of pairs.slice(220, 250)) {
    const [old, now] = [worded(pair, values[0])[0], worded(pair, pick(laterValues))[0]];
    times(3, () => say(old, 0, 0.4));
    times(3, () => say(now, 0.6, 1));
    planted.push({ kind: "changed", texts: [old, now] });
  }
  for (const pair of pairs.slice(250, 260)) {
    times(1, () => say(`The ${pair} is ${values[1] ?? ""}`, 0, 0.4, true));
    times(3, () => say(`The ${pair} no longer exists`, 0.6, 1));
    planted.push({ kind: "ended", texts: [`The ${pair} is ${values[1] ?? ""}`] });
  }
  for (let at = 0; at < 200; at += 1) {
    const text = `Restart the ${pick(things)} by hand whenever step ${at} of job ${Math.floor(random() * 9_000)} fails`;
    say(text, 0, 1);
    planted.push({ kind: "false", texts: [text] });
  }
  return { candidates: candidates.toSorted((one, other) => one.at - other.at), planted };
}
