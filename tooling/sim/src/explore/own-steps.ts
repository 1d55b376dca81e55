import { isOpen, type Recorded, stillDue } from "@loopwork/core";
import type { ItemState } from "@loopwork/core/ports";
import { hostNoonMs } from "@loopwork/core/testing";
import { placeOf } from "./hear.ts";
import type { Own, Rules, Taken } from "./letter.ts";
import { type LaneWork, type Place, refAt, textAt, type World } from "./world.ts";

/** What the service does by itself, between any two events. */
export const ownSteps: Readonly<Record<Place, readonly Own[]>> = {
  issue: stepsAt("issue"),
  pull: stepsAt("pull"),
};

function stepsAt(place: Place): readonly Own[] {
  return [
    take(place),
    endOfTurn(place),
    hold(place, "budget"),
    hold(place, "uncertain"),
    retry(place),
    lost(place),
  ];
}

const quiet = (world: World): Taken => ({ world, told: false, spawned: false });
const sessionAt = (item: ItemState, place: Place): ItemState["sessions"][number] | undefined =>
  item.sessions.find(({ endpoint }) => endpoint === textAt[place]);
const holdAt = (item: ItemState, place: Place): ItemState["lanes"][number] | undefined =>
  item.lanes.find(({ endpoint }) => endpoint === textAt[place]);
const at = (world: World, place: Place, change: Partial<LaneWork>): World => ({
  ...world,
  lanes: { ...world.lanes, [place]: { ...world.lanes[place], ...change } },
});
const after = (world: World, rules: Rules, recorded: Recorded): World => ({
  ...world,
  item: rules.evolve(world.item, recorded),
});

/**
 * The dispatcher takes what waits on an open lane: into the session that stands, else into a new
 * one.
 */
function take(place: Place): Own {
  return {
    name: `the dispatcher takes a turn of the ${place}`,
    own: true,
    step: (world, rules) => {
      const { waiting, running, conversations } = world.lanes[place];
      const lane = holdAt(world.item, place);
      if (!waiting || running || lane === undefined || !isOpen(lane.hold, hostNoonMs)) return null;
      const lives = sessionAt(world.item, place)?.status === "active";
      if (lives)
        return {
          world: at(world, place, { waiting: false, running: true }),
          told: true,
          spawned: false,
        };
      const opened = after(world, rules, {
        kind: "session-opened",
        endpoint: refAt[place],
        harness: "A",
        harnessSessionId: "s",
        workdir: "/w",
        runner: "headless",
        at: hostNoonMs,
      });
      return {
        world: at(opened, place, {
          waiting: false,
          running: true,
          conversations: conversations + 1,
        }),
        told: true,
        spawned: true,
      };
    },
  };
}

function endOfTurn(place: Place): Own {
  return {
    name: `a turn of the ${place} ends`,
    own: true,
    step: (world, rules) =>
      world.lanes[place].running
        ? quiet(
            at(
              after(world, rules, {
                kind: "turn-ended",
                endpoint: refAt[place],
                outcome: "done",
                usd: 0,
                minutes: 0,
                at: hostNoonMs,
              }),
              place,
              { running: false },
            ),
          )
        : null,
  };
}

/**
 * The turn did not end well: its lane waits for somebody, and it for its lane. Where its session is
 * ending, it is dropped: like the end of a turn.
 */
function hold(place: Place, reason: "budget" | "uncertain"): Own {
  return {
    name: `the lane of the ${place} is held: ${reason}`,
    own: true,
    step: (world, rules) =>
      world.lanes[place].running && sessionAt(world.item, place)?.status === "active"
        ? quiet(
            at(
              after(world, rules, {
                kind: "lane-held",
                endpoint: refAt[place],
                hold: { reason, until: null, detail: "" },
              }),
              place,
              { running: false, waiting: true },
            ),
          )
        : null,
  };
}

/** `loop turns retry`: a person has decided what was uncertain. */
function retry(place: Place): Own {
  return {
    name: `a person decides an uncertain turn of the ${place}`,
    own: true,
    step: (world, rules) =>
      holdAt(world.item, place)?.hold?.reason === "uncertain"
        ? quiet(after(world, rules, { kind: "lane-opened", endpoint: refAt[place] }))
        : null,
  };
}

/** The harness does not know the conversation any more. */
function lost(place: Place): Own {
  return {
    name: `the session of the ${place} is lost`,
    own: true,
    step: (world, rules) =>
      sessionAt(world.item, place)?.status === "active" && !world.lanes[place].running
        ? quiet(
            at(after(world, rules, { kind: "session-lost", endpoint: refAt[place] }), place, {
              conversations: 0,
            }),
          )
        : null,
  };
}

/**
 * A handler carries out the oldest effect: the outbox is a row, and what was called off meanwhile
 * is passed over.
 */
export const carryOut: Own = {
  name: "a handler carries out the oldest effect",
  own: true,
  step: (world, rules) => {
    const [effect, ...outbox] = world.outbox;
    if (effect === undefined) return null;
    const rest: World = { ...world, outbox };
    if (!stillDue(effect, world.item)) return quiet(rest);
    if (effect.kind === "release")
      return quiet(
        after(rest, rules, {
          kind: "released",
          workItem: effect.workItem,
          salvage: null,
          at: hostNoonMs,
        }),
      );
    return quiet(
      at(
        after(rest, rules, { kind: "session-closed", endpoint: effect.endpoint }),
        placeOf(effect.endpoint.number),
        { running: false, conversations: 0 },
      ),
    );
  },
};

/**
 * `loop sessions register`: somebody hands a conversation of theirs over. It counts like a start.
 */
export function register(place: Place): Own {
  return {
    name: `a session is registered for the ${place}`,
    own: true,
    step: (world, rules) => {
      const known = sessionAt(world.item, place);
      if (
        world.elsewhere ||
        world.lanes[place].conversations > 0 ||
        (place === "pull" && world.item.pullRequests.length === 0) ||
        (known !== undefined && known.status !== "closed")
      )
        return null;
      const opened = after(world, rules, {
        kind: "session-opened",
        endpoint: refAt[place],
        harness: "A",
        harnessSessionId: "s",
        workdir: "/w",
        runner: "headless",
        at: hostNoonMs,
      });
      const { beforeClosing } = world.oracle;
      const oracle = {
        ...world.oracle,
        beforeClosing: beforeClosing === null ? null : { ...beforeClosing, mandate: true },
        mandate: true,
        ended: false,
        asked: true,
        registeredPull: world.oracle.registeredPull || place === "pull",
      };
      return quiet({ ...at(opened, place, { conversations: 1 }), oracle });
    },
  };
}

/** `loop sessions link-pr`. */
export const linkPullRequest: Own = {
  name: "the pull request is recorded",
  own: true,
  step: (world, rules) =>
    world.item.pullRequests.length > 0 || world.elsewhere
      ? null
      : quiet(
          after(world, rules, {
            kind: "pull-request-linked",
            workItem: refAt.issue,
            pullRequest: refAt.pull,
            headSha: "a".repeat(40),
            headBranch: "issue-7",
            at: hostNoonMs,
          }),
        ),
};

/** Another instance that shares the store claims what nobody asked for here yet. */
export const takenElsewhere: Own = {
  name: "another instance takes the item",
  own: true,
  step: (world) =>
    world.elsewhere || world.oracle.asked || world.oracle.mandate || world.item.sessions.length > 0
      ? null
      : quiet({ ...world, elsewhere: true }),
};
