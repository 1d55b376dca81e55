import type { RuntimeParts } from "@loopwork/runtime";
import type { Decided, TurnInput, WorkItem } from "@loopwork/core/ports";
import type { World } from "./world/world.ts";

/**
 * A bug that is put in front of a port for a run, to show that the run would see it. The service's
 * own code stays as it is.
 */
export type Plant = {
  readonly name: string;
  readonly decorate: (parts: RuntimeParts, world: World) => RuntimeParts;
};

export const noPlant: Plant = { name: "none", decorate: (parts) => parts };

/** The parts with something changed in their store. */
function withStore(parts: RuntimeParts, change: Partial<RuntimeParts["store"]>): RuntimeParts {
  return { ...parts, store: { ...parts.store, ...change } };
}

type Store = RuntimeParts["store"];

function withLog(
  parts: RuntimeParts,
  change: (log: Store["log"]) => Partial<Store["log"]>,
): RuntimeParts {
  return withStore(parts, { log: { ...parts.store.log, ...change(parts.store.log) } });
}

function withLanes(
  parts: RuntimeParts,
  change: (lanes: Store["lanes"]) => Partial<Store["lanes"]>,
): RuntimeParts {
  return withStore(parts, { lanes: { ...parts.store.lanes, ...change(parts.store.lanes) } });
}

/** The parts with what a decision writes changed. */
function withDecided(parts: RuntimeParts, change: (decided: Decided) => Decided): RuntimeParts {
  return withLog(parts, (log) => ({
    decide: (seq, workItem, decide, read) =>
      log.decide(seq, workItem, (item) => change(decide(item)), read),
  }));
}

/** The parts with the inputs of a turn changed as its lane is taken. */
function withInputs(
  parts: RuntimeParts,
  change: (inputs: readonly TurnInput[]) => readonly TurnInput[],
): RuntimeParts {
  return withLanes(parts, (lanes) => ({
    async take(request) {
      const taken = await lanes.take(request);
      return taken === null
        ? null
        : { ...taken, turn: { ...taken.turn, inputs: change(taken.turn.inputs) } };
    },
  }));
}

/** The decision with something else on record of its work item. */
function remembering(decided: Decided, change: Partial<WorkItem>): Decided {
  return decided.after?.workItem
    ? {
        ...decided,
        after: { ...decided.after, workItem: { ...decided.after.workItem, ...change } },
      }
    : decided;
}

/** Locks that are given to whoever asks. */
const anybody: RuntimeParts["locks"] = {
  acquire: async (name) => ({ name, release: async () => {} }),
};

export const plants: readonly Plant[] = [
  {
    // A repeated delivery looks like a new one, and so does what it is about.
    name: "dedupe",
    decorate(parts, { random }) {
      const append: Store["append"] = (delivery) =>
        parts.store.append({
          ...delivery,
          id: `${delivery.id}-${random.uuid()}`,
          digest: random.uuid(),
        });
      const seen = withLog(withStore(parts, { append }), () => ({ seenAs: async () => null }));
      return withDecided(seen, (decided) => ({ ...decided, key: null }));
    },
  },
  {
    // Nothing about a receipt can be found after a crash.
    name: "receipt",
    decorate(parts) {
      const { A } = parts.harnesses;
      return A === null
        ? parts
        : {
            ...parts,
            harnesses: {
              ...parts.harnesses,
              A: {
                ...A,
                turns: {
                  ...A.turns,
                  plan: (request) => A.turns.plan({ ...request, receipt: parts.ids.uuid() }),
                  evidence: async () => ({ kind: "absent", sessionExists: true }),
                },
              },
            },
          };
    },
  },
  {
    // A child that outlived a dead daemon is not waited for.
    name: "live-child",
    decorate: (parts) => ({ ...parts, run: { ...parts.run, adopt: () => null } }),
  },
  {
    // A lane is given away while somebody holds it.
    name: "lane-lock",
    decorate(parts, { data }) {
      const given = withLanes(parts, (lanes) => ({
        take(request) {
          for (const [endpoint, lane] of data.lanes)
            data.lanes.set(endpoint, { ...lane, lease: null });
          for (const [id, turn] of data.turns)
            if (turn.state === "injecting") data.turns.set(id, { ...turn, state: "ready" });
          return lanes.take(request);
        },
      }));
      return { ...given, locks: anybody };
    },
  },
  {
    name: "pause",
    decorate: (parts) =>
      withDecided(parts, (decided) =>
        decided.after === null
          ? decided
          : {
              ...decided,
              after: {
                ...decided.after,
                lanes: decided.after.lanes.map((lane) =>
                  lane.hold?.reason === "paused" ? { ...lane, hold: null } : lane,
                ),
              },
            },
      ),
  },
  {
    name: "stop",
    decorate: (parts) =>
      withDecided(parts, (decided) => ({
        ...decided,
        decision: {
          ...decided.decision,
          effects: decided.decision.effects.filter(({ kind }) => kind !== "drop-turns"),
        },
      })),
  },
  {
    name: "echo",
    decorate: (parts) => ({ ...parts, marks: { ...parts.marks, isOurs: () => false } }),
  },
  {
    // Of several events that go together, the last one's text goes missing.
    name: "merge",
    decorate: (parts) =>
      withInputs(parts, (inputs) => (inputs.length < 2 ? inputs : inputs.slice(0, -1))),
  },
  {
    // Events that go together come in the wrong order.
    name: "order",
    decorate: (parts) => withInputs(parts, (inputs) => inputs.toReversed()),
  },
  {
    // An effect counts as done from the moment when somebody looked at it.
    name: "outbox",
    decorate(parts, { data }) {
      const { outbox } = parts.store;
      return withStore(parts, {
        outbox: {
          ...outbox,
          async due(now, limit) {
            const due = await outbox.due(now, limit);
            for (const { id } of due)
              for (const row of data.effects) if (row.id === id) row.state = "done";
            return due;
          },
        },
      });
    },
  },
  {
    // After an interruption nobody looks whether the comment stands already.
    name: "marker",
    decorate: (parts) => ({ ...parts, host: { ...parts.host, findComment: async () => null } }),
  },
  {
    // The answer goes out while the delivery is still only in memory.
    name: "commit",
    decorate: (parts) =>
      withStore(parts, {
        async append(delivery) {
          parts.timers.after(400, () => void parts.store.append(delivery).catch(() => {}));
          return { kind: "accepted", seq: 0 };
        },
      }),
  },
  {
    // A new life does not look at what the one before left half-way.
    name: "orphans",
    decorate: (parts) => withLanes(parts, () => ({ orphans: async () => [] })),
  },
  {
    // Deciding begins behind the newest that is decided, whatever lies before it.
    name: "gap",
    decorate(parts, { data }) {
      const newest = (): number =>
        Math.max(0, ...(data.instances.get("default")?.decisions.keys() ?? []));
      return withLog(parts, (log) => ({
        undecided: async (limit) =>
          (await log.undecided(limit)).filter(({ seq }) => seq > newest()).toReversed(),
        decide: (seq, workItem, decide) => log.decide(seq, workItem, decide),
      }));
    },
  },
  {
    // Who compares the host's list with the inbox believes that all is there.
    name: "audit",
    decorate: (parts) =>
      withLog(parts, (log) => ({
        find: async (id) =>
          (await log.find(id)) ?? {
            id,
            seq: 0,
            source: "webhook",
            event: "",
            verified: false,
            receivedAt: 0,
            digest: "",
          },
      })),
  },
  {
    // A decision does not keep what was looked up for it.
    name: "facts",
    decorate: (parts) =>
      withDecided(parts, (decided) =>
        decided.state === null
          ? decided
          : { ...decided, state: (({ found: _found, ...state }) => state)(decided.state) },
      ),
  },
  {
    // What ended a grant is forgotten.
    name: "revoked",
    decorate: (parts) => withDecided(parts, (decided) => remembering(decided, { revoked: [] })),
  },
  {
    // When people stopped or paused is forgotten.
    name: "since",
    decorate: (parts) =>
      withDecided(parts, (decided) =>
        decided.after?.workItem
          ? remembering(decided, { control: { ...decided.after.workItem.control, since: null } })
          : decided,
      ),
  },
  {
    // Everybody may steer and speak.
    name: "stranger",
    decorate: (parts) => ({
      ...parts,
      settings: () => ({
        ...parts.settings(),
        policy: { ...parts.settings().policy, authorizedUsers: new Set(["ada", "eve"]) },
      }),
    }),
  },
];
