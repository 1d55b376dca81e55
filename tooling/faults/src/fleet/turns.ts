import { mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { adoptedBy } from "@loopwork/core";
import type { Store } from "@loopwork/core/ports";
import { StoreError } from "@loopwork/store";
import { openPostgresStore } from "@loopwork/store-postgres";
import { judge, type Judgement } from "../judge.ts";
import { createRandom } from "../random.ts";
import { settled } from "../run.ts";
import { type FleetOptions, type Member, seen, startMember } from "./fleet.ts";
import { openSenders, sendWords } from "./senders.ts";
import { readFleetPrompts, rowsOfFile, rowsOfLane } from "./transcript.ts";
import { slowMark } from "./worker.ts";

export type TurnsPlan = {
  readonly instances: number;
  readonly lanes: number;
  readonly wordsPerLane: number;
  /** SIGKILLs of instances, each begun anew under its name at once. */
  readonly kills: number;
  /**
   * Instances that are stopped in the midst of a turn while a second process of their name takes
   * over, and wake then.
   */
  readonly stops: number;
  /**
   * Instances that are stopped in the midst of a turn, whose items another one adopts, and that
   * wake then.
   */
  readonly adoptions: number;
  readonly serverKills: number;
  readonly seed: number;
};

export type Turns = Judgement & {
  readonly kills: number;
  readonly serverKills: number;
  readonly acknowledged: number;
  readonly lateRefused: number;
  readonly lateTaken: number;
  readonly adopted: number;
};

type Server = { kill(): Promise<void>; start(): Promise<void> };
type Run = {
  readonly options: FleetOptions;
  readonly members: Member[];
  readonly random: () => number;
  readonly say: (text: string) => void;
  refused: number;
  taken: number;
  adopted: number;
};

/**
 * Lets instances work while they and their server are killed and stopped, and then looks at what
 * reached the conversations.
 */
export async function runTurns(
  options: FleetOptions,
  plan: TurnsPlan,
  server: Server,
  say: (text: string) => void,
): Promise<Turns> {
  mkdirSync(options.dir, { recursive: true });
  const run: Run = {
    options,
    members: Array.from({ length: plan.instances }, (_, n) => startMember(`worker-${n}`, options)),
    random: createRandom(plan.seed),
    say,
    refused: 0,
    taken: 0,
    adopted: 0,
  };
  const senders = await openSenders(options.url, 4);
  let acknowledged = 0;
  try {
    await Promise.all(run.members.map(({ up }) => up));
    let isActing = true;
    const sending = sendWords(
      senders,
      {
        lanes: plan.lanes,
        words: plan.wordsPerLane,
        instances: run.members.map(({ name }) => name),
        dir: options.dir,
      },
      () => isActing,
      () => (acknowledged += 1),
    );
    const acts = shuffled(plan, run.random);
    for (const [n, act] of acts.entries()) {
      // Spread over the whole of the words, unless somebody stands in their way.
      await seen(() => acknowledged >= (n / acts.length) * plan.lanes * plan.wordsPerLane, 30_000);
      await sleep(run.random() * 400);
      if (act === "kill") await killOne(run);
      if (act === "server")
        await server
          .kill()
          .then(() => sleep(run.random() * 500))
          .then(() => server.start());
      if (act === "stop") await untilDone(() => stopOne(run));
      if (act === "adopt") await untilDone(() => adoptOne(run));
      say(`${act}: ${acknowledged} words acknowledged`);
      if (options.without !== null && run.taken > 0) break;
    }
    isActing = false;
    const expected = await sending;
    const result = await settled(
      () => judge(expected, readFleetPrompts(options.dir)),
      options.without === null ? 60_000 : 6_000,
    );
    for (const member of run.members) note(run, member);
    const late =
      run.taken === 0
        ? []
        : [`late: ${run.taken} turns were begun by somebody who had lost their lanes`];
    return {
      ...result,
      violations: [...result.violations, ...late],
      kills: plan.kills,
      serverKills: plan.serverKills,
      acknowledged,
      lateRefused: run.refused,
      lateTaken: run.taken,
      adopted: run.adopted,
    };
  } finally {
    await senders.close();
    await Promise.all(run.members.map((member) => member.kill()));
  }
}

type Act = "kill" | "stop" | "adopt" | "server";

function shuffled(
  { kills, stops, adoptions, serverKills }: TurnsPlan,
  random: () => number,
): readonly Act[] {
  const acts: Act[] = [
    ...Array<Act>(kills).fill("kill"),
    ...Array<Act>(stops).fill("stop"),
    ...Array<Act>(adoptions).fill("adopt"),
    ...Array<Act>(serverKills).fill("server"),
  ];
  return acts
    .map((act) => ({ act, at: random() }))
    .toSorted((a, b) => a.at - b.at)
    .map(({ act }) => act);
}

function note(run: Run, member: Member): void {
  run.refused += member.late().refused;
  run.taken += member.late().taken;
}

/** An instance that has no turn cannot be stopped in one: then another is tried. */
async function untilDone(act: () => Promise<boolean>): Promise<void> {
  for (let tries = 0; tries < 10 && !(await act()); tries += 1);
}

async function killOne(run: Run): Promise<void> {
  await replace(Math.floor(run.random() * run.members.length), run);
}

async function replace(at: number, run: Run): Promise<void> {
  const member = run.members[at];
  if (member === undefined) return;
  await member.kill();
  note(run, member);
  run.members[at] = startMember(member.name, run.options);
}

/**
 * One of the instances that said the last word in some lane, else any: what is to be stopped in a
 * turn must have turns.
 */
function oneAtWork({ options, members, random }: Run): number {
  const pids = new Set(
    readdirSync(options.dir)
      .filter((file) => file.endsWith(".ndjson"))
      .map(
        (file) => rowsOfFile(join(options.dir, file)).findLast(({ kind }) => kind === "asked")?.pid,
      ),
  );
  const busy = [...members.keys()].filter((at) => pids.has(members[at]?.pid));
  return busy[Math.floor(random() * busy.length)] ?? Math.floor(random() * members.length);
}

/**
 * A second process of the instance takes over what the stopped one had; that one wakes once
 * somebody else says its words.
 */
async function stopOne(run: Run): Promise<boolean> {
  const at = oneAtWork(run);
  const member = run.members[at];
  const stopped = member === undefined ? null : await stopIn(member, at, run);
  if (member === undefined || stopped === null) return false;
  run.members[at] = startMember(member.name, run.options);
  return wakeAfter(stopped, member, run);
}

/**
 * Another instance adopts the items of the stopped one. A person then decides about what was under
 * way, by what its conversation shows.
 */
async function adoptOne(run: Run): Promise<boolean> {
  const at = oneAtWork(run);
  const [member, heir] = [run.members[at], run.members[(at + 1) % run.members.length]];
  const stopped = member === undefined || heir === undefined ? null : await stopIn(member, at, run);
  if (member === undefined || heir === undefined || stopped === null) return false;
  await sleep(run.options.leaseMs * 1.5);
  const store = await openPostgresStore(run.options.url, { instance: heir.name, now: Date.now });
  try {
    const uncertain: number[] = [];
    for (const item of await store.instances.itemsOf(member.name)) {
      const adopted = await untilFree(() =>
        store.instances.adopt(member.name, item, {
          fold: (state) => adoptedBy(state, member.name, heir.name),
          note: "a fault run",
          check: () => {},
          lines: () => [],
        }),
      );
      if (adopted !== null) run.adopted += 1;
      uncertain.push(...(adopted?.uncertain ?? []));
    }
    const woke = await wakeAfter(stopped, member, run);
    run.members[at] = startMember(member.name, run.options);
    for (const turn of uncertain) await decideAbout(turn, store, run);
    return woke;
  } finally {
    await store.close();
  }
}

/**
 * Who was stopped in the midst of a transaction keeps its locks until the server ends that, which
 * is sooner than it would count as away.
 */
async function untilFree<T>(work: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof StoreError) || error.code !== "LOOP_E_STORE_BUSY") throw error;
    }
  }
}

async function decideAbout(id: number, store: Store, { options }: Run): Promise<void> {
  const turn = await store.lanes.turn(id);
  if (turn === null) return;
  const rows = rowsOfLane(options.dir, turn.lane).filter(
    ({ receipt }) => receipt === turn.attempt?.receipt,
  );
  await store.lanes.resolve(
    id,
    rows.some(({ kind }) => kind === "ended") ? "drop" : "retry",
    "a person looked",
    [],
  );
}

type Stopped = { readonly lane: string; readonly words: string };

/**
 * Null where it takes no turn within 15 seconds: it is begun anew then, as it would stop in a later
 * turn that nobody waits for. The lane it stopped in is slow from now on, so that it meets the next
 * holder at work.
 */
async function stopIn(member: Member, at: number, run: Run): Promise<Stopped | null> {
  const stopping = member.stopInATurn();
  let stopped: Stopped | null = null;
  void stopping.then((where) => (stopped = where));
  const found = await seen(() => stopped, 15_000);
  if (found === null) await replace(at, run);
  else writeFileSync(slowMark(run.options.dir, found.lane), "");
  return found;
}

/**
 * Wakes a stopped process once somebody else has its words, lets it do what it still wants to do,
 * and ends it. False when nobody had them in time: then it would have lost nothing, and it is ended
 * as it is.
 */
async function wakeAfter({ lane, words }: Stopped, member: Member, run: Run): Promise<boolean> {
  const all = words.split("\n");
  const areSaid = (text: string): boolean => all.every((word) => text.split("\n").includes(word));
  const lost = await seen(
    () =>
      rowsOfLane(run.options.dir, lane).some(
        ({ kind, text, pid }) => kind === "asked" && pid !== member.pid && areSaid(text),
      ),
    60_000,
  );
  const before = member.late().refused + member.late().taken;
  if (lost) member.wake();
  if (lost) await seen(() => member.late().refused + member.late().taken > before, 5_000);
  if (lost) await sleep(500); // What it began in the midst of its stop is said within these.
  await member.kill();
  note(run, member);
  rmSync(slowMark(run.options.dir, lane), { force: true });
  return lost === true;
}
