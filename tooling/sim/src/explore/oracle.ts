import type { Policy } from "@loopwork/core";
import type { Meaning, Nameless } from "./letter.ts";
import type { Oracle, World } from "./world.ts";

/**
 * What people asked for after one more event, by the letter of the specification: written down a
 * second time, without the product's functions, so that the two can disagree. `world` is the one
 * before, with the host as the event shows it.
 */
export function listen(letter: Nameless, world: World, policy: Policy): Oracle {
  if (world.elsewhere) return world.oracle;
  const oracle = ended(letter, world);
  if (letter.by !== "authorized") return oracle;
  const heard = hearing(letter, { ...world, oracle }, policy);
  // What undoes a closing leads back to what was before, and begins nothing besides.
  const undoes = letter.means.kind === "reopen" && world.oracle.beforeClosing !== null;
  return !undoes && mayBegin(letter, { ...world, oracle: heard }, policy)
    ? begun({ ...heard, measured: true })
    : heard;
}

/**
 * A grant ends with the item, whoever closed that; a reopening proves a closing. An item without
 * label and record leaves no trace when it closes (ADR 0013).
 */
function ended({ means }: Nameless, { oracle, host, item }: World): Oracle {
  if (means.kind === "close" || means.kind === "reopen")
    return {
      ...oracle,
      granted: null,
      revoked:
        oracle.revoked || item.workItem !== null || (means.kind === "close" && host.labelled),
    };
  return means.kind === "closed before" && oracle.granted === "before"
    ? { ...oracle, granted: null }
    : oracle;
}

function hearing({ means }: Nameless, { oracle, host, item }: World, policy: Policy): Oracle {
  if (means.kind === "reopen")
    return oracle.beforeClosing === null
      ? oracle
      : { ...oracle, ...oracle.beforeClosing, beforeClosing: null, measured: true };
  if (means.kind === "close") return closed(oracle, item.sessions.length > 0);
  if (means.kind !== "verb" || !isHeard(means, oracle, policy)) return oracle;
  const overtaken = means.where === "late" && oracle.measured;
  const measures =
    means.where === "now" ||
    (means.where === "command line" && means.verb !== "start" && means.verb !== "resume");
  const taken: Oracle = { ...oracle, asked: true, measured: oracle.measured || measures };
  switch (means.verb) {
    case "start":
      return oracle.mandate ||
        oracle.paused ||
        !host.open ||
        !host.labelled ||
        policy.spawnOnUnmatched === "never" ||
        overtaken
        ? oracle
        : begun(taken);
    case "pause":
      return oracle.beforeClosing !== null && !host.open
        ? oracle
        : {
            ...taken,
            paused: true,
            ended: oracle.ended || oracle.beforeClosing?.ended === true,
            beforeClosing: null,
          };
    case "resume":
      if (overtaken) return oracle;
      // It also lets go on what waits for somebody, such as for a budget, and is a request like any
      // other then.
      return oracle.paused
        ? { ...taken, paused: false }
        : oracle.mandate && item.lanes.some(({ hold }) => hold?.reason === "budget")
          ? taken
          : oracle;
    case "stop":
    case "cleanup":
      return {
        ...(means.verb === "cleanup" && !host.open ? withoutGrants(taken) : taken),
        mandate: false,
        paused: false,
        ended: true,
        beforeClosing:
          oracle.beforeClosing === null || host.open
            ? null
            : { mandate: false, paused: false, ended: true },
      };
    case "add-collaborator":
      // The command line shows no item: what is on record of it counts.
      if (
        !(means.where === "command line" ? (item.workItem?.open ?? true) : host.open) ||
        (means.where === "late" && oracle.revoked)
      )
        return oracle;
      return { ...oracle, granted: means.where === "late" ? (oracle.granted ?? "before") : "now" };
    case "remove-collaborator":
      return { ...oracle, granted: null, revoked: oracle.revoked || means.where !== "late" };
  }
}

/** A closing that was deferred ends nothing; the clean-up that follows it does. */
function withoutGrants(oracle: Oracle): Oracle {
  return { ...oracle, granted: null, revoked: true };
}

function begun(oracle: Oracle): Oracle {
  return { ...oracle, mandate: true, ended: false, beforeClosing: null, asked: true };
}

/**
 * Without `requireStartCommand` an authorized person's event on an armed item starts it, where it
 * is this instance's to take.
 */
function mayBegin(
  { facts, means, marks }: Nameless,
  { host, oracle }: World,
  policy: Policy,
): boolean {
  if (
    policy.requireStartCommand ||
    policy.spawnOnUnmatched === "never" ||
    policy.instance.scope !== "open"
  )
    return false;
  const says = means.kind === "words" || means.kind === "reopen" || marks.includes("arms");
  // A stranger's reopening makes nobody forget what was stopped or paused before the closing.
  const { paused, ended } = oracle.beforeClosing ?? oracle;
  return (
    says &&
    facts.seenAs === undefined &&
    host.open &&
    host.labelled &&
    !paused &&
    !ended &&
    !oracle.mandate
  );
}

/**
 * A closing ends what was asked for; reopening brings it back. Without a request or a session there
 * is nothing to end.
 */
function closed(oracle: Oracle, withSession: boolean): Oracle {
  if (oracle.beforeClosing !== null) return oracle;
  const { mandate, paused, ended } = oracle;
  const before = mandate || paused || ended || withSession ? { mandate, paused, ended } : null;
  return {
    ...oracle,
    mandate: false,
    paused: false,
    ended: false,
    beforeClosing: before,
    measured: oracle.measured || before !== null,
  };
}

/** Meant for this instance: addressed to it, or to nobody where it may take the item or has it. */
function isHeard(
  means: Extract<Meaning, { kind: "verb" }>,
  oracle: Oracle,
  policy: Policy,
): boolean {
  if (means.address === "elsewhere") return false;
  const { scope } = policy.instance;
  if (scope === "open" || oracle.asked || oracle.mandate) return true;
  return scope === "addressed" && means.verb === "start" && means.address === "here";
}
