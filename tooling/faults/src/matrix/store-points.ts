import type { RuntimeParts } from "@loopwork/runtime";
import type { Decided } from "@loopwork/core/ports";
import type { When } from "./commits.ts";
import { faults } from "./faults.ts";
import type { Point, Strike } from "./point.ts";

type Store = RuntimeParts["store"];
type Replace = (store: Store, strike: Strike) => Store;

/** Moments around the commits of the store, by the call that causes them. */
export const storePoints: Readonly<Record<string, Point>> = {
  "migrate.before-commit": { passes: 1, faults, decorate: (parts) => parts },
  "migrate.after-commit": { passes: 1, faults, decorate: (parts) => parts },
  "life.before-commit": around("before", 1, entering),
  "life.after-commit": around("after", 1, entering),
  "accept.before-commit": around("before", 8, accepting),
  "accept.after-commit": around("after", 8, accepting),
  "decide.before-commit": around(
    "before",
    8,
    deciding(() => true),
  ),
  "decide.after-commit": around(
    "after",
    8,
    deciding(() => true),
  ),
  "claim.before-commit": around("before", 2, deciding(claims)),
  "claim.after-commit": around("after", 2, deciding(claims)),
  "lane.before-take": around("before", 3, taking),
  "lane.after-take": around("after", 3, taking),
  "session.before-record": around("before", 2, recordingSession),
  "session.after-record": around("after", 2, recordingSession),
  "turn.before-begin": around("before", 3, beginning(false)),
  "turn.after-begin": around("after", 3, beginning(false)),
  "turn.before-child": around("before", 3, beginning(true)),
  "turn.after-child": around("after", 3, beginning(true)),
  "turn.before-done": around("before", 3, settlingTurn),
  "turn.after-done": around("after", 3, settlingTurn),
  "outbox.before-mark": around(
    "before",
    1,
    settlingEffect(({ state, note }) => state === "pending" && note === "is being posted"),
  ),
  "outbox.after-mark": around(
    "after",
    1,
    settlingEffect(({ state, note }) => state === "pending" && note === "is being posted"),
  ),
  "outbox.before-settle": around(
    "before",
    5,
    settlingEffect(({ state }) => state === "done"),
  ),
  "outbox.after-settle": around(
    "after",
    5,
    settlingEffect(({ state }) => state === "done"),
  ),
  "release.before-settle": around(
    "before",
    1,
    settlingEffect(({ state, note }) => state === "done" && note === "released"),
  ),
  "release.after-settle": around(
    "after",
    1,
    settlingEffect(({ state, note }) => state === "done" && note === "released"),
  ),
  "recover.before-take": { ...around("before", 1, adopting), prelude: "turn.after-prompt" },
  "recover.after-take": { ...around("after", 1, adopting), prelude: "turn.after-prompt" },
};

function around(when: When, passes: number, replace: (when: When) => Replace): Point {
  return {
    passes,
    faults,
    decorate: (parts, strike) => ({ ...parts, store: replace(when)(parts.store, strike) }),
  };
}

function entering(when: When): Replace {
  return (store, strike) => ({
    ...store,
    instances: {
      ...store.instances,
      enter: (life) => strike.commit(when, () => store.instances.enter(life)),
    },
  });
}

function accepting(when: When): Replace {
  return (store, strike) => ({
    ...store,
    append: (delivery) =>
      strike.commit(
        when,
        () => store.append(delivery),
        () => true,
        "insert into delivery ",
      ),
  });
}

/** What was decided is known within the transaction alone. */
function deciding(fits: (decided: Decided) => boolean): (when: When) => Replace {
  return (when) =>
    (store, { commits, trigger }) => ({
      ...store,
      log: {
        ...store.log,
        decide: (seq, workItem, decide, left) =>
          commits.within(() =>
            store.log.decide(
              seq,
              workItem,
              (item) => {
                const decided = decide(item);
                if (fits(decided) && trigger.pass()) commits.arm({ trigger, when });
                return decided;
              },
              left,
            ),
          ),
      },
    });
}

/** The decision by which this instance takes the item. */
function claims({ decision }: Decided): boolean {
  return decision.effects.some((effect) => effect.kind === "turn" && effect.mode === "spawn");
}

/** Most looks find no lane, and change nothing. */
function taking(when: When): Replace {
  return (store, strike) => ({
    ...store,
    lanes: {
      ...store.lanes,
      take(request) {
        const isOne = async (): Promise<boolean> =>
          ((await store.lanes.wakeAt(request.now, request.merge)) ?? Infinity) <= request.now;
        return strike.commit(when, () => store.lanes.take(request), isOne);
      },
    },
  });
}

function recordingSession(when: When): Replace {
  return (store, strike) => ({
    ...store,
    items: {
      ...store.items,
      updateOwn: (...args) => strike.commit(when, () => store.items.updateOwn(...args)),
    },
  });
}

/** A turn begins twice: with its attempt, and with the child that makes it. */
function beginning(withChild: boolean): (when: When) => Replace {
  return (when) => (store, strike) => ({
    ...store,
    lanes: {
      ...store.lanes,
      begin: (lease, turn, attempt, lines) =>
        strike.commit(
          when,
          () => store.lanes.begin(lease, turn, attempt, lines),
          () => (attempt.child !== null) === withChild,
        ),
    },
  });
}

function settlingTurn(when: When): Replace {
  return (store, strike) => ({
    ...store,
    lanes: {
      ...store.lanes,
      settle: (...args) => strike.commit(when, () => store.lanes.settle(...args)),
    },
  });
}

type Result = Parameters<Store["outbox"]["settle"]>[1];

function settlingEffect(fits: (result: Result) => boolean): (when: When) => Replace {
  return (when) => (store, strike) => ({
    ...store,
    outbox: {
      ...store.outbox,
      settle: (...args) =>
        strike.commit(
          when,
          () => store.outbox.settle(...args),
          () => fits(args[1]),
        ),
    },
  });
}

function adopting(when: When): Replace {
  return (store, strike) => ({
    ...store,
    lanes: {
      ...store.lanes,
      orphans: (request) => strike.commit(when, () => store.lanes.orphans(request)),
    },
  });
}
