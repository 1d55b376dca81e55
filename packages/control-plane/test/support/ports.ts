import { waitingOf } from "@loopwork/core";
import { formatRef, LoopError, parseRef } from "@loopwork/core/ports";
import type { Learning } from "@loopwork/core/learnings";
import { noon, policyOf } from "@loopwork/core/testing";
import type { ControlPlanePorts, Sent } from "../../src/index.ts";
import { createRecords, fill, type MemoryRecords } from "./records.ts";

const learningsOf = (...texts: readonly string[]): readonly Learning[] =>
  texts.map((text, at) => ({
    id: at + 1,
    text,
    category: at === 0 ? "testing" : "general",
    kind: "do",
    status: at === 2 ? "retired" : "active",
    severity: "low",
    seen: 3,
    firstSeen: noon,
    lastSeen: noon,
    pinned: false,
    supersedes: [],
    supersededBy: null,
    keys: [],
    sources: [],
    earlier: [],
  }));

export type TestPorts = ControlPlanePorts & {
  readonly records: MemoryRecords;
  /** What was asked for, in order. */ readonly asked: readonly unknown[];
};

/** Ports over filled records that write down what is asked of them. */
export function createPorts(): TestPorts {
  const records = createRecords();
  fill(records);
  const asked: unknown[] = [];
  const refOf = async (text: string): ReturnType<ControlPlanePorts["steering"]["ref"]> => {
    const found = parseRef(text);
    if (found === null)
      throw new LoopError(
        "LOOP_E_REF",
        "that is no reference",
        "write it as host:<owner>/<repo>#<number>",
      );
    return found;
  };
  return {
    asked,
    records,
    clock: { now: () => noon },
    policy: () => policyOf(),
    health: async () => ({
      status: "ok",
      version: "1.2.3",
      configFile: null,
      stateRoot: "/state",
      services: [{ name: "service", enabled: true, running: true, detail: "running" }],
    }),
    waiting: async () =>
      waitingOf(
        {
          items: await records.items.page({ after: null, limit: 100, only: "waiting" }),
          open: records.said,
          pending: [],
        },
        policyOf(),
        "work-item",
        noon,
      ),
    unownedStarts: async () => [
      {
        workItem: formatRef(await refOf("host:octo/shop#9")),
        address: "north",
        addressee: "stopped",
        by: "ada",
        at: noon,
        delivery: "delivery-9",
        reason: "addressed-elsewhere",
        words: "is for instance north, which is stopped",
        type: 'if nobody took it: comment "loop start instance:south" on it',
      },
    ],
    steering: {
      ref: refOf,
      pullRequest: async (text, workItem) =>
        /^\d{1,9}$/.test(text) ? { ...workItem, number: Number(text) } : refOf(text),
      async control(target, request): Promise<Sent> {
        asked.push({ target: formatRef(target), request });
        return {
          workItem: formatRef(target),
          delivery: "c0ffee",
          state: "done",
          reason: "start-requested",
          sentence: "A start was asked for.",
          remedy: null,
          dispatching: true,
        };
      },
      async register({ endpoint, harness, harnessSessionId }) {
        asked.push({ register: harnessSessionId });
        return {
          workItem: formatRef(endpoint),
          endpoint: formatRef(endpoint),
          harness,
          harnessSessionId,
        };
      },
      async linkPullRequest(workItem, pullRequest) {
        asked.push({ link: formatRef(pullRequest) });
        return {
          workItem: formatRef(workItem),
          pullRequest: formatRef(pullRequest),
          recorded: true,
        };
      },
      async closeSession(endpoint) {
        asked.push({ close: formatRef(endpoint) });
        return { closed: true, endpoint: formatRef(endpoint) };
      },
      async resolveTurn(turn, how) {
        asked.push({ turn, how });
        return { turn, state: "uncertain", resolved: true };
      },
    },
    async restart(withUpgrade) {
      asked.push(withUpgrade ? "restart --with-upgrade" : "restart");
      return { scheduled: true, log: "/state/logs/restart.log" };
    },
    why: async (id) =>
      id === "delivery-1"
        ? {
            delivery: id,
            event: "issue_comment",
            receivedAt: noon,
            state: "decided",
            workItem: formatRef(await refOf("host:octo/shop#7")),
            verdict: "started",
            reason: "start-requested",
            decidedAt: noon,
            check: null,
            sentences: ["A start was asked for."],
          }
        : null,
    replay: async () => ({
      decided: 2,
      same: 1,
      undecided: 0,
      changed: [
        {
          delivery: "delivery-1",
          workItem: null,
          before: "start-requested",
          after: "routing-disabled",
          sentence: "Routing is off.",
        },
      ],
      unknown: [
        {
          delivery: "delivery-2",
          workItem: null,
          before: "no-work-item",
          sentence: "The host would have to be asked.",
        },
      ],
    }),
    transcript: async () => [
      { at: noon, who: "prompt", text: "Please water the garden" },
      { at: null, who: "agent", text: "Done" },
    ],
    learnings: async (workdir) =>
      workdir.startsWith("/gone")
        ? null
        : learningsOf("Run the tests twice", "Water the garden at night", "Use port 80"),
  };
}
