import { cell, fieldsOf, table } from "./markdown.ts";

/** What is on record of a part; null for nothing. */
export type Results = (name: string) => unknown;

/** What a run says about a target: in words, and whether that meets it. */
type Read = { readonly measured: string; readonly met: boolean };
/** `why`: why nothing here measures it. */
type Target = {
  readonly of: string;
  readonly goal: string;
  readonly read: ((results: Results) => Read | null) | { readonly why: string };
};

/**
 * The table of targets, all of its rows in their order. Ratios are to contenders of the same run.
 */
export const targets: readonly Target[] = [
  {
    of: "durable deliveries a second, against a bare `node:http` receiver with HMAC that keeps nothing",
    goal: "at least 0.90",
    read: atLeast(0.9, (results) => contender(results, "loop", "ratio")),
  },
  {
    of: "CPU per durable delivery, against the same",
    goal: "at most 1.45",
    read: atMost(1.45, (results) => contender(results, "loop", "cpuRatio")),
  },
  {
    of: "durable, against probot, which is not",
    goal: "at least 2.8 times the deliveries, at most 0.40 of the CPU",
    read: both(
      atLeast(
        2.8,
        (results) => against(results, "probot", "requestsPerSecond"),
        "times the deliveries",
      ),
      atMost(0.4, (results) => against(results, "probot", "cpuMicrosPerRequest"), "of the CPU"),
    ),
  },
  {
    of: "durable, against the middleware of `@octokit/webhooks`, which is not",
    goal: "at least 1.6 times",
    read: atLeast(1.6, (results) => against(results, "octokit-webhooks", "requestsPerSecond")),
  },
  {
    of: "against adnanh/webhook, running its command",
    goal: "at least 10 times, p99 at most 1/15",
    read: { why: "it is a Go program; the contenders here come from the package registry of Node" },
  },
  {
    of: "receiver and router, against the system in Python that came before",
    goal: "at least 20 times, CPU at most 1/16",
    read: { why: "that system is no part of this repository" },
  },
  {
    of: "a disk whose flush takes 2 ms more, against one commit per request, with 64 and 256 connections",
    goal: "at least 25 and 60 times",
    read: both(
      atLeast(25, (results) => slowDisk(results, 64, "ratio"), "times with 64"),
      atLeast(60, (results) => slowDisk(results, 256, "ratio"), "times with 256"),
    ),
  },
  {
    of: "the same disk, p99 with 64 connections",
    goal: "at most 15 ms",
    read: atMost(15, (results) => slowDisk(results, 64, "p99Ms"), "ms"),
  },
  {
    of: "one connection: durable p50 less the bare one's",
    goal: "at most 1.5 flushes of the same disk",
    read: atMost(
      1.5,
      (results) =>
        numberIn(
          results("bench"),
          "limits",
          "alone",
          "rows",
          { name: "loop" },
          "overBareInFlushes",
        ),
      "flushes",
    ),
  },
  {
    of: "CPU that Express itself costs, against the bare receiver",
    goal: "at most 4 us more",
    read: atMost(
      4,
      (results) => moreCpu(results, "loop-keeps-nothing", "bare"),
      "us more, for all of the receiver over an inbox that keeps nothing",
    ),
  },
  {
    of: "`route()` on the real payloads",
    goal: "at least 5,000,000 a second, at least 35 times the Python",
    read: atLeast(
      5_000_000,
      (results) => numberIn(results("bench"), "route", "decisionsPerSecond"),
      "decisions a second from parsed JSON, half of them of 4 KB Markdown; the Python is not measured here",
    ),
  },
  {
    of: "the worst `route()` on 64 KiB of hostile text",
    goal: "at most 1 ms, growth at most 4.5 for 4 times the text",
    read: both(
      atMost(1, (results) => numberIn(results("bench"), "route", "worstCase64KiBMs"), "ms"),
      atMost(4.5, (results) => numberIn(results("bench"), "route", "growthPer4x"), "growth"),
    ),
  },
  {
    of: "acknowledged and lost, or worked on twice, in 1,000 kills under load",
    goal: "0 and 0",
    read: both(
      atLeast(1_000, (results) => numberIn(results("kills"), "kills"), "kills"),
      both(
        atMost(0, (results) => numberIn(results("kills"), "lost"), "lost"),
        atMost(0, (results) => numberIn(results("kills"), "doubled"), "doubled"),
      ),
    ),
  },
  {
    of: "p99 of the receiver while 16 children a second are started, against none",
    goal: "at most 1.25 times; resident at most 100 MiB",
    read: both(
      atMost(
        1.25,
        (results) =>
          numberIn(results("bench"), "spawn", "intake", { name: "broker" }, "ratioToIdle"),
        "times",
      ),
      atMost(100, (results) => contender(results, "loop", "rssMiB"), "MiB"),
    ),
  },
  {
    of: "a warm checkout of 5,000 files, against `git worktree add`, in memory; 1,000 registrations at once",
    goal: "at least 1.8 times as fast (20 on a disk of untouched blocks); no failure",
    read: both(
      atLeast(
        1.8,
        (results) =>
          inverse(
            numberIn(
              results("bench"),
              "workspace",
              "ways",
              { name: "loop from the pool" },
              "ratioToWorktreeAdd",
            ),
          ),
        "times as fast; a disk of untouched blocks is not measured here",
      ),
      both(
        atLeast(
          1_000,
          (results) => numberIn(results("bench"), "workspace", "concurrent", "adds"),
          "registrations",
        ),
        atMost(
          0,
          (results) => numberIn(results("bench"), "workspace", "concurrent", "failures"),
          "failures",
        ),
      ),
    ),
  },
  {
    of: "from its start to a healthy answer over an inbox with 100,000 deliveries, against the bare receiver",
    goal: "at most 1.5 times",
    read: atMost(1.5, (results) =>
      numberIn(results("bench"), "limits", "start", "rows", { name: "loop" }, "ratio"),
    ),
  },
];

/** Every target with what is on record of it. */
export function targetTable(results: Results): string {
  return table(
    ["#", "target", "goal", "measured", ""],
    targets.map(({ of, goal, read }, at) => [String(at + 1), of, goal, ...told(read, results)]),
  );
}

function told(read: Target["read"], results: Results): readonly [string, string] {
  if (typeof read !== "function") return [`not measured here: ${read.why}`, ""];
  const found = read(results);
  return found === null
    ? ["no run on record", ""]
    : [found.measured, found.met ? "met" : "**not met**"];
}

type Reader = (results: Results) => Read | null;
type NumberOf = (results: Results) => number | null;

function atLeast(least: number, of: NumberOf, unit: string = ""): Reader {
  return compared(of, unit, (value) => value >= least);
}

function atMost(most: number, of: NumberOf, unit: string = ""): Reader {
  return compared(of, unit, (value) => value <= most);
}

function compared(of: NumberOf, unit: string, isMet: (value: number) => boolean): Reader {
  return (results) => {
    const value = of(results);
    return value === null ? null : { measured: `${cell(value)} ${unit}`.trim(), met: isMet(value) };
  };
}

function both(one: Reader, other: Reader): Reader {
  return (results) => {
    const [a, b] = [one(results), other(results)];
    return a === null || b === null
      ? null
      : { measured: `${a.measured}; ${b.measured}`, met: a.met && b.met };
  };
}

function contender(results: Results, name: string, key: string): number | null {
  return numberIn(results("bench"), "receiver", "contenders", { name }, key);
}

/** Ours divided by another's. */
function against(results: Results, name: string, key: string): number | null {
  const [ours, theirs] = [contender(results, "loop", key), contender(results, name, key)];
  return ours === null || theirs === null ? null : ours / theirs;
}

/** CPU per request of one contender less another's, in microseconds. */
function moreCpu(results: Results, name: string, than: string): number | null {
  const [more, less] = [
    contender(results, name, "cpuMicrosPerRequest"),
    contender(results, than, "cpuMicrosPerRequest"),
  ];
  return more === null || less === null ? null : more - less;
}

function slowDisk(results: Results, connections: number, key: string): number | null {
  return numberIn(
    results("bench"),
    "limits",
    "slowDisk",
    "rows",
    { name: "loop", connections },
    key,
  );
}

function inverse(value: number | null): number | null {
  return value === null ? null : 1 / value;
}

/**
 * The number at the end of a path of keys; in a list the entry that has these fields. Null where
 * there is none.
 */
function numberIn(
  value: unknown,
  ...path: readonly (string | Readonly<Record<string, unknown>>)[]
): number | null {
  const found = path.reduce<unknown>((at, step) => {
    if (typeof step !== "string")
      return Array.isArray(at)
        ? at.find((each) =>
            Object.entries(step).every(([key, wanted]) => fieldsOf(each)[key] === wanted),
          )
        : null;
    return fieldsOf(at)[step];
  }, value);
  return typeof found === "number" ? found : null;
}
