import type { Decision, Verdict } from "@loopwork/core";
import { formatRef, type ItemState } from "@loopwork/core/ports";
import { issueRef } from "@loopwork/core/testing";
import type { Hearing } from "./hear.ts";
import type { Nameless, Own, Taken } from "./letter.ts";
import { places, textAt, type World } from "./world.ts";

/** What may never be, whatever happens in whatever order. */
export const invariants = [
  "no spawn without a start",
  "nothing is told without a start",
  "paused means nothing delivered",
  "two keywords mean nothing",
  "never two sessions for one work item",
  "no command from someone unauthorized",
  "another instance's item is left alone",
  "what must move nobody moves nobody",
  "a grant lets one login speak, until the item closes",
  "an older event never re-arms",
  "no lane waits for an end that nobody carries out",
  "a pull request is part of its issue",
] as const;

export type Invariant = (typeof invariants)[number];

const commands: ReadonlySet<Verdict["kind"]> = new Set([
  "started",
  "paused",
  "resumed",
  "stopped",
  "cleaned-up",
  "granted",
  "revoked",
]);

/** What an event has broken. */
export function brokenByHearing(
  letter: Nameless,
  { decision, target, before, world }: Hearing,
): readonly Invariant[] {
  const broken: Invariant[] = [];
  const { effects } = decision;
  const still = sameControl(before.item, world.item) && effects.length === 0;
  const check = (holds: boolean, invariant: Invariant): void =>
    void (holds || broken.push(invariant));
  if (letter.marks.includes("two keywords")) check(still, "two keywords mean nothing");
  if (letter.by !== "authorized")
    check(isPowerless(letter, decision, before, world), "no command from someone unauthorized");
  if (before.elsewhere) check(still, "another instance's item is left alone");
  if (letter.means.kind === "verb" && letter.means.address === "elsewhere")
    check(still, "another instance's item is left alone");
  // Whoever edited a keyword in is shown that it did nothing.
  const isShown =
    letter.marks.includes("edited in") && effects.every(({ kind }) => kind === "react");
  if (letter.marks.includes("moves nobody"))
    check(
      still || (isShown && sameControl(before.item, world.item)),
      "what must move nobody moves nobody",
    );
  if (letter.by === "collaborator" && letter.means.kind === "words")
    check(
      effects.length === 0 || before.oracle.granted !== null,
      "a grant lets one login speak, until the item closes",
    );
  if (letter.by === "nobody" && letter.means.kind === "words")
    check(effects.length === 0, "no command from someone unauthorized");
  if (letter.marks.includes("older label"))
    check(
      !(before.item.workItem?.armed === false && world.item.workItem?.armed === true),
      "an older event never re-arms",
    );
  check(
    target === null || formatRef(target.workItem) === formatRef(issueRef),
    "a pull request is part of its issue",
  );
  check(
    (world.item.collaborators.length === 0) === (world.oracle.granted === null),
    "a grant lets one login speak, until the item closes",
  );
  return [...broken, ...brokenAtRest(world)];
}

/** What a step of the service's own has broken. */
export function brokenByStep(
  _step: Own,
  before: World,
  { world, told, spawned }: Taken,
): readonly Invariant[] {
  const broken: Invariant[] = [];
  const { mandate, paused, registeredPull } = before.oracle;
  if (spawned && !mandate) broken.push("no spawn without a start");
  if (told && !mandate) broken.push("nothing is told without a start");
  if (told && paused) broken.push("paused means nothing delivered");
  if (
    spawned &&
    (world.lanes.issue.conversations > 1 ||
      world.lanes.pull.conversations > (registeredPull ? 1 : 0))
  )
    broken.push("never two sessions for one work item");
  if (spawned && before.elsewhere) broken.push("never two sessions for one work item");
  return [...broken, ...brokenAtRest(world)];
}

/** What must be so between any two steps. */
function brokenAtRest({ item, outbox }: World): readonly Invariant[] {
  const stuck =
    outbox.length === 0 &&
    item.lanes.some(({ hold }) => hold?.reason === "ending" || hold?.reason === "releasing");
  const twice = places.some(
    (place) => item.sessions.filter(({ endpoint }) => endpoint === textAt[place]).length > 1,
  );
  return [
    ...(stuck ? (["no lane waits for an end that nobody carries out"] as const) : []),
    ...(twice ? (["never two sessions for one work item"] as const) : []),
  ];
}

/**
 * Carries out nothing, but for the end of a pull request's own session: only the object that closed
 * ends, whoever closed it.
 */
function isPowerless(
  { means }: Nameless,
  { verdict, effects }: Decision,
  before: World,
  world: World,
): boolean {
  if (commands.has(verdict.kind) || (verdict.kind === "closed" && verdict.whole)) return false;
  if (verdict.kind === "closed")
    return effects.every(({ kind }) => kind === "drop-turns" || kind === "end-session");
  // Grants end with the item, whoever closed or reopened it.
  const ends = means.kind === "close" || means.kind === "closed before" || means.kind === "reopen";
  const isSame = ends
    ? sameControl({ ...before.item, collaborators: [] }, { ...world.item, collaborators: [] })
    : sameControl(before.item, world.item);
  return (
    isSame &&
    effects.every(
      (effect) =>
        (effect.kind === "turn" && effect.authority !== "authorized") ||
        (effect.kind === "reply" && verdict.kind === "noted"),
    )
  );
}

/**
 * What people steer is as it was; what the host shows may be remembered, and a lane for what waits
 * be made.
 */
function sameControl(one: ItemState, other: ItemState): boolean {
  return controlOf(one) === controlOf(other);
}

function controlOf({ workItem, sessions, collaborators, lanes }: ItemState): string {
  const { status = "idle", before = null } = workItem?.control ?? {};
  return [
    status,
    before,
    ...sessions.map((each) => each.status),
    collaborators.length,
    ...lanes.flatMap(({ hold }) =>
      hold === null || hold.reason === "paused" ? [] : [hold.reason],
    ),
  ].join();
}
