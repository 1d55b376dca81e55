import { createRequire } from "node:module";
import {
  decide,
  type Familiarity,
  noAnswers,
  normalise,
  type Policy,
  questionsOf,
  resolve,
} from "@loopwork/core";
import { emptyItemState, hostEventName, parsePayload } from "@loopwork/core/ports";
import { parseConfig, policyOf } from "@loopwork/core/config";
import { hostileTexts } from "./hostile-texts.ts";
import { markdownBody } from "./markdown-body.ts";
import { median } from "./numbers.ts";
import { readAlone } from "./reading.ts";

/** Result of `npm run bench -- route`; keys as in the document on measuring. */
export type RouteResult = {
  readonly payloads: number;
  readonly decisionsPerSecond: number;
  readonly worstCase64KiBMs: number;
  readonly growthPer4x: number;
};

export type RouteOptions = {
  /** How long each of the rounds takes; half a second where nothing is said. */
  readonly roundMs?: number;
  readonly rounds?: number;
  readonly progress: (line: string) => void;
};

/**
 * How fast a parsed payload becomes a decision: normalise, resolve and decide with an empty state,
 * over every real payload of the nine events and the same with a 4 KB Markdown text in each of its
 * bodies, no two of which are equal, so that nothing is gained by knowing the text before. The
 * people who act in the payloads are authorized, so that nothing is dropped early. The empty state
 * is that of an empty store: nothing of any repository is on record, so that issues are looked for
 * in a text only where something can begin; the progress also tells the speed in a repository that
 * is known, and that of reading the same fields and deciding nothing, in rounds that take turns
 * with ours. Then the longest time that 64 KiB of hostile text takes in any body there, and by how
 * much it grows from 16 KiB to 64 KiB.
 */
export function benchRoute({ roundMs = 500, rounds = 15, progress }: RouteOptions): RouteResult {
  const policy = openPolicy();
  const real = examples();
  const routed = [...real, ...real.map((each, n) => withBody(each, `# ${n}\n\n${markdownBody}`))];
  progress(
    `route: ${real.length} real payloads, and the same with ${markdownBody.length} characters of Markdown`,
  );
  const reasons = new Set(routed.map((each) => route(each, policy, "new")));
  progress(`route: decided for ${reasons.size} different reasons`);
  const decided = (each: Delivered): number => route(each, policy, "new").length;
  measure(routed, decided, roundMs * 2);
  const both = Array.from({ length: rounds }, () => ({
    ours: measure(routed, decided, roundMs),
    reading: measure(routed, ({ payload }) => readAlone(payload), roundMs),
  }));
  const speeds = both.map(({ ours }) => ours);
  progress(
    `route: ${Math.round(median(speeds))} decisions a second (slowest round ${Math.round(Math.min(...speeds))}, fastest ${Math.round(Math.max(...speeds))})`,
  );
  progress(
    `route: ${Math.round(median(both.map(({ reading }) => reading)))} a second where the same fields are only read; a decision takes ${median(both.map(({ ours, reading }) => reading / ours)).toFixed(2)} times as long`,
  );
  const known = Array.from({ length: rounds }, () =>
    measure(routed, (each) => route(each, policy, "known").length, roundMs),
  );
  progress(`route: ${Math.round(median(known))} decisions a second where the repository is known`);
  return {
    payloads: routed.length,
    decisionsPerSecond: Math.round(median(speeds)),
    ...worstCase(real, policy, progress),
  };
}

type Delivered = { readonly event: string; readonly payload: Payload };
type Payload = { readonly [key: string]: unknown };

/** One delivery all the way; the reason, so that no work can be left out. */
function route({ event, payload }: Delivered, policy: Policy, repository: Familiarity): string {
  const understood = normalise(
    { id: "0b1c7a60-7f4d-11ee-8b5e-8f3c2f1d5a10", source: "webhook", event },
    payload,
    policy,
  );
  if (!understood.ok) return understood.why;
  const questions = questionsOf(understood.event, policy, repository);
  const target = resolve(understood.event, noAnswers, policy, questions);
  return decide(
    understood.event,
    {
      target,
      item: emptyItemState,
      own: "no",
      pinnedActorId: null,
      seenAs: null,
      ownedBy: null,
      now: 1_700_000_000_000,
    },
    policy,
  ).reason;
}

/**
 * Deliveries a second of processor time, which a busy machine disturbs less than the clock on the
 * wall.
 */
function measure(
  deliveries: readonly Delivered[],
  work: (delivery: Delivered) => number,
  ms: number,
): number {
  const start = spentMs();
  let done = 0;
  let letters = 0;
  let spent = 0;
  do {
    for (let i = 0; i < 20; i += 1) for (const each of deliveries) letters += work(each);
    done += 20 * deliveries.length;
    spent = spentMs() - start;
  } while (spent < ms);
  if (letters === 0) throw new Error("nothing was done");
  return (done * 1000) / spent;
}

/** Milliseconds that this thread has had of a processor. */
function spentMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}

/**
 * Hostile text in the body of a comment, a pull request and a comment on a pull request: where
 * bodies are read.
 */
function worstCase(
  real: readonly Delivered[],
  policy: Policy,
  progress: (line: string) => void,
): Pick<RouteResult, "worstCase64KiBMs" | "growthPer4x"> {
  const bases = [
    pick(real, "issue_comment", "created"),
    pick(real, "pull_request", "opened"),
    pick(real, "pull_request_review_comment", "created"),
  ];
  let worst = { ms: 0, name: "" };
  let growth = { factor: 0, name: "" };
  for (const { name, text } of hostileTexts) {
    for (const base of bases) {
      const pair = timesOf(twins(base, text(16_384)), twins(base, text(65_536)), policy);
      if (pair.large > worst.ms) worst = { ms: pair.large, name: `${base.event}: ${name}` };
      // Below some microseconds the text is not read at all, and a ratio says nothing but noise.
      const factor = pair.large / pair.small;
      if (pair.large > 0.005 && factor > growth.factor)
        growth = { factor, name: `${base.event}: ${name}` };
    }
  }
  progress(
    `route: worst 64 KiB ${worst.ms.toFixed(3)} ms (${worst.name}), worst growth per 4x ${growth.factor.toFixed(2)} (${growth.name})`,
  );
  return {
    worstCase64KiBMs: Number(worst.ms.toFixed(4)),
    growthPer4x: Number(growth.factor.toFixed(3)),
  };
}

/**
 * Milliseconds for one decision each on a small and a large delivery: the fastest of many rounds,
 * since whatever disturbs a round only makes it slower. Both are decided for a while first, because
 * code that is not compiled yet is slower and would be counted against the one that comes first;
 * then their rounds take turns, so that both meet the same machine.
 */
function timesOf(
  small: Twins,
  large: Twins,
  policy: Policy,
): { readonly small: number; readonly large: number } {
  const times = [roundOf(small, policy), roundOf(large, policy)] as const;
  for (let round = 0; round < warmingRounds; round += 1)
    for (const [n, each] of [small, large].entries()) repeat(each, policy, times[n] ?? 1);
  const best = { small: Number.POSITIVE_INFINITY, large: Number.POSITIVE_INFINITY };
  // A busy machine makes single figures worse; what is really slow, or grows too fast, still is so
  // after three times as many rounds.
  const isSuspect = (): boolean => best.large > 0.5 || best.large / best.small > 4.1;
  for (let round = 0; round < timedRounds || (round < 3 * timedRounds && isSuspect()); round += 1) {
    best.small = Math.min(best.small, repeat(small, policy, times[0]) / times[0]);
    best.large = Math.min(best.large, repeat(large, policy, times[1]) / times[1]);
  }
  return best;
}

const warmingRounds = 10;
const timedRounds = 30;

/**
 * How many decisions take half a millisecond: too short to be interrupted often, long enough for
 * the clock.
 */
function roundOf(delivery: Twins, policy: Policy): number {
  let times = 2;
  while (repeat(delivery, policy, times) < 0.5) times *= 2;
  return times;
}

function repeat([one, other]: Twins, policy: Policy, times: number): number {
  const start = performance.now();
  for (let i = 0; i < times; i += 1) route(i % 2 === 0 ? one : other, policy, "known");
  return performance.now() - start;
}

/**
 * Two deliveries with nearly the same text, so that nothing is gained by knowing the text before.
 */
type Twins = readonly [Delivered, Delivered];

function twins(base: Delivered, text: string): Twins {
  return [withBody(base, `${text}\n1`), withBody(base, `${text}\n2`)];
}

function withBody({ event, payload }: Delivered, body: string): Delivered {
  const changed: Record<string, unknown> = { ...payload };
  for (const key of ["issue", "pull_request", "comment", "review"]) {
    const part = changed[key];
    if (typeof part === "object" && part !== null && "body" in part)
      changed[key] = { ...part, body };
  }
  return { event, payload: reparsed(changed) };
}

/** What parsing makes of it: objects and strings have the layout that the service sees. */
function reparsed(payload: Payload): Payload {
  const parsed = parsePayload(JSON.stringify(payload));
  if (!parsed.ok) throw new Error(parsed.why);
  return parsed.payload;
}

function pick(deliveries: readonly Delivered[], event: string, action: string): Delivered {
  const found = deliveries.find(
    (each) => each.event === event && each.payload["action"] === action,
  );
  if (found === undefined) throw new Error(`no example of ${event} ${action}`);
  return found;
}

function examples(): readonly Delivered[] {
  const sets: unknown = createRequire(import.meta.url)(
    "@octokit/webhooks-examples/api.github.com/index.json",
  );
  if (!Array.isArray(sets)) throw new Error("the examples have another form than expected");
  const found: Delivered[] = [];
  for (const { name, examples: payloads } of sets)
    if (hostEventName(name) !== null)
      for (const payload of payloads) found.push({ event: name, payload: reparsed(payload) });
  return found;
}

/** The defaults, with everybody who acts in the payloads authorized. */
function openPolicy(): Policy {
  const parsed = parseConfig("routing:\n  authorizedUsers: [Codertocat, Octocat]\n", {
    file: "cli-config.yaml",
  });
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.errors));
  return policyOf(parsed.config);
}
