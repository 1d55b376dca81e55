import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { createPracticeHost, freePort } from "@loopwork-tooling/practice-host";
import { type FloodReport, startFlood } from "../flood.ts";
import { type Backlog, watchBacklog } from "../hostile/backlog.ts";
import { worstBlock } from "../hostile/blocks.ts";
import type { Sample } from "../hostile/probe.ts";
import { startWatched, type Watched } from "../hostile/watched.ts";
import { judge, type Judgement } from "../judge.ts";
import { startLoad } from "../load.ts";
import type { Stage } from "../payloads.ts";
import { createRandom } from "../random.ts";
import { inspectStore } from "../restarts.ts";
import { settled, writeScene } from "../run.ts";
import { untilUp } from "../until-up.ts";
import { readPrompts } from "../transcripts.ts";
import { type Point, quantile, type Series, seriesOf } from "./series.ts";
import { forgottenIn, type Kept, levelsOff, sizeOfStore } from "./size.ts";

export type SoakRun = {
  readonly minutes: number;
  readonly rate: number;
  readonly lanes: number;
  readonly seed: number;
  /** What a storm is: so many deliveries a second, for so long. */ readonly storm: {
    readonly rate: number;
    readonly ms: number;
    readonly everyMs: number;
  };
  readonly without: SoakGuard | null;
  readonly say: (text: string) => void;
};

/** What a soak can go without, to show that it would see it. */
export const soakGuards = ["retention", "free-thread"] as const;
export type SoakGuard = (typeof soakGuards)[number];

/**
 * Sizes are of the service alone. `bodiesMiB` and `eventLines` are what its store keeps of what is
 * to be forgotten, `diskMiB` all of its state root. Series leave out the first fifth, in which all
 * is still being loaded.
 */
export type SoakReport = {
  readonly minutes: number;
  readonly rate: number;
  readonly lanes: number;
  readonly seed: number;
  readonly storms: number;
  readonly accepted: number;
  readonly stored: number;
  readonly refused: number;
  readonly unanswered: number;
  readonly acceptP50Ms: number;
  readonly acceptP99Ms: number;
  readonly stormP99Ms: number;
  /** Answers that came when a host has given up. */
  readonly late: number;
  readonly rssMiB: Series;
  readonly openFiles: Series;
  readonly backlog: Series;
  readonly worstBlockMs: number;
  readonly baselineBlockMs: number;
  readonly retentionMs: number | null;
  /** Deliveries whose bodies were gone in the end. */
  readonly forgotten: number;
  readonly bodiesMiB: Series;
  readonly eventLines: Series;
  readonly diskMiB: Series;
} & Pick<
  Judgement,
  "turnsExpected" | "delivered" | "lost" | "doubled" | "outOfOrder" | "violations"
>;

/** Between two words of a lane, in milliseconds; a fifth of the turns takes seconds. */
const wordsMs = 20_000;
/** What is left over is worked on until nothing new is finished for so long, in milliseconds. */
const nothingNewMs = 60_000;
const allowedGrowthMiB = 64;
const lookMs = 500;
/**
 * Milliseconds after which GitHub gives up a delivery (its documents, "Best practices for using
 * webhooks").
 */
const hostWaitsMs = 10_000;
/**
 * Milliseconds for which bodies and lines of the event log are kept, for each minute of the run: a
 * sixth of it.
 */
const shareKept = 10_000;
/**
 * Milliseconds between two looks at the size of the store, for each minute of the run: sixty in
 * all.
 */
const looksApart = 1_000;
const miB = 1_048_576;

/**
 * Many conversations and a steady stream of deliveries, storms now and then, for as long as is
 * asked; then what the service came to.
 */
export async function runSoak(run: SoakRun): Promise<SoakReport> {
  const scratch = mkdtempSync(join(tmpdir(), "loop-soak-"));
  const host = await createPracticeHost({
    owner: "practice",
    repo: "garden",
    users: [{ login: "loop-agent", token: "practice-token" }],
  });
  const [port, servicePort] = [await freePort(), await freePort()];
  const env = writeScene(scratch, host, port, servicePort);
  const retentionMs = run.without === "retention" ? null : run.minutes * shareKept;
  const bystander = startWatched(
    "bystander",
    [join(scratch, "bystander")],
    scratch,
    env,
    join(scratch, "bystander.log"),
  );
  const service = startWatched(
    "daemon",
    [
      run.without === "free-thread" ? "standing" : "",
      ...(retentionMs === null ? [] : [String(retentionMs)]),
    ],
    scratch,
    env,
    join(scratch, "daemon.log"),
  );
  const backlog = watchBacklog(join(scratch, ".loop", "loop.db"));
  try {
    await untilUp(`http://127.0.0.1:${port}/health`);
    const stage: Stage = {
      owner: "practice",
      repo: "garden",
      hostUrl: host.url,
      cloneUrl: host.cloneUrl,
      secret: "practice-secret",
    };
    return await soak({
      ...run,
      scratch,
      url: `http://127.0.0.1:${port}/host-webhook`,
      stage,
      service,
      bystander,
      backlog,
      retentionMs,
    });
  } finally {
    backlog.stop();
    await service.stop();
    await bystander.stop();
    await host.stop();
    rmSync(scratch, { recursive: true, force: true, maxRetries: 5 });
  }
}

type Soaked = SoakRun & {
  readonly scratch: string;
  readonly url: string;
  readonly stage: Stage;
  readonly service: Watched;
  readonly bystander: Watched;
  readonly backlog: Backlog;
  readonly retentionMs: number | null;
};

async function soak(run: Soaked): Promise<SoakReport> {
  const { scratch, service, bystander, minutes, rate, lanes, seed, say } = run;
  const load = startLoad({
    stage: run.stage,
    url: run.url,
    lanes,
    random: createRandom(seed),
    repeatShare: 0.2,
    pauseMs: Math.min(wordsMs, minutes * 10_000),
  });
  const began = Date.now();
  const poured = await pour(run, began);
  await load.stop();
  const judged = await settled(
    () => judge(load.expected(), readPrompts(join(scratch, "home", ".claude"))),
    nothingNewMs,
  );
  await run.backlog.settled(nothingNewMs, service.isAlive);
  const steady = service.samples.filter(({ at }) => at > began + (Date.now() - began) / 5);
  const violations = [...judged.violations, ...faultsOf(run, poured, steady)];
  const code = await service.stop();
  if (code !== 0)
    violations.push(
      `crash: the service ended with ${code}: ${readFileSync(join(scratch, "daemon.log"), "utf8").trim().split("\n").at(-1) ?? ""}`,
    );
  const accepted = poured.floods.flatMap((flood) => flood.accepted);
  const rows = inspectStore(join(scratch, ".loop", "loop.db"), accepted);
  if (rows.stored !== accepted.length || rows.doubled > 0)
    violations.push(
      `stored: of ${accepted.length} accepted deliveries ${rows.stored} are there, ${rows.doubled} of them twice`,
    );
  const steadily = <Each extends { readonly at: number }>(
    points: readonly Each[],
  ): readonly Each[] => points.filter(({ at }) => at > (steady[0]?.at ?? 0));
  const lasting = { ...poured, kept: steadily(poured.kept) };
  const forgotten = forgottenIn(join(scratch, ".loop", "loop.db"));
  if (run.retentionMs !== null && forgotten === 0) violations.push("disk: no body was forgotten");
  const worst = worstBlock(steady, [], bystander.samples);
  if (worst !== null)
    say(
      `the event loop was away ${Math.round(worst.blockMs)} ms, of which it computed ${Math.round(worst.cpuMs)} ms, ${Math.round((worst.at - began) / 1_000)} s after the beginning; a bystander ${Math.round(worst.baselineMs)} ms`,
    );
  say(`${accepted.length} deliveries, ${judged.delivered} of ${judged.turnsExpected} words heard`);
  return {
    ...{
      minutes,
      rate,
      lanes,
      seed,
      storms: poured.storms,
      accepted: accepted.length,
      stored: rows.stored,
      refused: sumOf(poured.floods, "answeredOnRetry") + sumOf(poured.floods, "answeredLater"),
      unanswered: sumOf(poured.floods, "unanswered"),
    },
    ...{
      acceptP50Ms: quantile(poured.times, 0.5),
      acceptP99Ms: quantile(poured.times, 0.99),
      stormP99Ms: quantile(poured.stormTimes, 0.99),
      late: lateOf(poured),
    },
    ...{
      rssMiB: seriesOf(pointsOf(steady, "rssMiB")),
      openFiles: seriesOf(pointsOf(steady, "openFiles")),
      backlog: seriesOf(steadily(poured.backlog)),
    },
    ...{
      worstBlockMs: Math.round(worst?.blockMs ?? 0),
      baselineBlockMs: Math.round(worst?.baselineMs ?? 0),
      retentionMs: run.retentionMs,
      forgotten,
    },
    ...{
      bodiesMiB: seriesOf(keptOf(lasting, ({ bodyBytes }) => bodyBytes / miB)),
      eventLines: seriesOf(keptOf(lasting, ({ events }) => events)),
      diskMiB: seriesOf(keptOf(lasting, ({ fileBytes }) => fileBytes / miB)),
    },
    ...{
      turnsExpected: judged.turnsExpected,
      delivered: judged.delivered,
      lost: judged.lost,
      doubled: judged.doubled + rows.doubled,
      outOfOrder: judged.outOfOrder,
      violations,
    },
  };
}

/**
 * What was sent beside the conversations. Times are of answers at once, in and out of storms, in
 * milliseconds.
 */
type Poured = {
  readonly floods: readonly FloodReport[];
  readonly storms: number;
  readonly times: readonly number[];
  readonly stormTimes: readonly number[];
  readonly backlog: readonly Point[];
  readonly kept: readonly Kept[];
};

async function pour(
  { stage, url, rate, minutes, storm, backlog, service, scratch, say }: Soaked,
  began: number,
): Promise<Poured> {
  const [times, stormTimes, waiting, kept]: [number[], number[], Point[], Kept[]] = [
    [],
    [],
    [],
    [],
  ];
  const floods: FloodReport[] = [];
  let storms = 0;
  const steady = startFlood(stage, url, rate, { onAnswer: (ms) => times.push(ms) });
  const until = began + minutes * 60_000;
  let nextStorm = began + Math.min(storm.everyMs, minutes * 60_000) / 2;
  while (Date.now() < until && service.isAlive()) {
    await sleep(lookMs);
    waiting.push({ at: Date.now(), value: backlog.undecided() });
    // Looking takes time from the one who sends.
    const isDue = Date.now() - (kept.at(-1)?.at ?? 0) > minutes * looksApart;
    const size = isDue
      ? sizeOfStore(
          join(scratch, ".loop"),
          join(scratch, ".loop", "loop.db"),
          Date.now() - 2 * minutes * shareKept,
        )
      : null;
    if (size !== null) kept.push(size);
    if (Date.now() < nextStorm) continue;
    storms += 1;
    const raging = startFlood(stage, url, storm.rate, {
      first: storms * 1_000_000,
      onAnswer: (ms) => stormTimes.push(ms),
    });
    await sleep(storm.ms);
    floods.push(await raging.stop());
    nextStorm += storm.everyMs;
    say(
      `${Math.round((Date.now() - began) / 60_000)} minutes, ${storms} storms, ${Math.round(service.samples.at(-1)?.rssMiB ?? 0)} MiB`,
    );
  }
  floods.push(await steady.stop());
  return { floods, storms, times, stormTimes, backlog: waiting, kept };
}

function faultsOf(
  { service }: Soaked,
  poured: Poured,
  steady: readonly Sample[],
): readonly string[] {
  const unanswered = sumOf(poured.floods, "unanswered");
  const late = lateOf(poured);
  const growth = (steady.at(-1)?.rssMiB ?? 0) - (steady[0]?.rssMiB ?? 0);
  return [
    ...(service.isAlive() ? [] : ["crash: the service was gone before it was asked to go"]),
    ...(unanswered > 0 ? [`unanswered: ${unanswered} deliveries got no answer`] : []),
    ...(late > 0 ? [`late: ${late} deliveries were answered when a host has given up`] : []),
    ...(growth > allowedGrowthMiB
      ? [`memory: ${Math.round(growth)} MiB more in the end than after the first fifth`]
      : []),
    ...keptTooLong(poured),
  ];
}

function lateOf({ times, stormTimes }: Poured): number {
  return [...times, ...stormTimes].filter((ms) => ms > hostWaitsMs).length;
}

function sumOf(
  floods: readonly FloodReport[],
  key: "answeredOnRetry" | "answeredLater" | "unanswered",
): number {
  return floods.reduce((sum, flood) => sum + flood[key], 0);
}

function pointsOf(samples: readonly Sample[], key: "rssMiB" | "openFiles"): readonly Point[] {
  return samples.map((sample) => ({ at: sample.at, value: sample[key] }));
}

/** A single storm is heavier than all else of a short run: then only ages are looked at. */
function keptTooLong(poured: Poured): readonly string[] {
  const old = Math.max(
    0,
    ...poured.kept.slice(-Math.ceil(poured.kept.length / 3)).map(({ oldBodies }) => oldBodies),
  );
  return [
    ...(old > 0
      ? [`disk: ${old} bodies were there after twice the time for which they are kept`]
      : []),
    ...(poured.storms > 0 && poured.storms < 3
      ? []
      : [
          ...levelsOff(
            "MiB of bodies",
            keptOf(poured, ({ bodyBytes }) => bodyBytes / miB),
          ),
          ...levelsOff(
            "lines of the event log",
            keptOf(poured, ({ events }) => events),
          ),
        ]),
  ];
}

function keptOf({ kept }: Poured, of: (kept: Kept) => number): readonly Point[] {
  return kept.map((each) => ({ at: each.at, value: of(each) }));
}
