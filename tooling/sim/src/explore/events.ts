import type { Actor, InboundEvent, Item } from "@loopwork/core";
import type { ControlVerb } from "@loopwork/core/keywords";
import {
  activityEvent,
  alice,
  carol,
  ciEvent,
  closedEvent,
  commentEvent,
  controlEvent,
  hostNoon,
  issueOf,
  labelEvent,
  mallory,
  pullRequestOf,
  someBot,
} from "@loopwork/core/testing";
import { type Heard, type Mark, type Meaning, plain } from "./letter.ts";
import type { World } from "./world.ts";

export type Person = "alice" | "carol" | "mallory" | "bot" | "alias" | "agent";

/**
 * People of the alphabet. `alias` writes under alice's login with another number, `agent` with our
 * own marker.
 */
const people: Readonly<
  Record<
    Person,
    { readonly actor: Actor; readonly by: Heard["by"]; readonly facts: Heard["facts"] }
  >
> = {
  alice: { actor: alice, by: "authorized", facts: { pinnedActorId: "1" } },
  carol: { actor: carol, by: "collaborator", facts: {} },
  mallory: { actor: mallory, by: "nobody", facts: {} },
  bot: { actor: someBot, by: "nobody", facts: {} },
  alias: { actor: { ...alice, id: "77" }, by: "nobody", facts: { pinnedActorId: "1" } },
  agent: { actor: alice, by: "nobody", facts: { own: "comment" } },
};

/** The host's time of everything, and of what was said before it. */
const earlier = "2026-03-01T11:59:00Z";
const earliest = "2026-03-01T11:58:00Z";
const longAgo = "2026-02-01T12:00:00Z";

const issueIn = ({ host }: World, over: Partial<Item> = {}): Item =>
  issueOf({ open: host.open, labels: host.labelled ? ["loop: auto-execute"] : [], ...over });
const pullIn = ({ host }: World, over: Partial<Item> = {}): Item =>
  pullRequestOf({ open: !host.merged, merged: host.merged, ...over });

const asks = (
  verb: ControlVerb,
  over: Partial<Extract<Meaning, { kind: "verb" }>> = {},
): Meaning => ({ kind: "verb", verb, address: "none", where: "now", ...over });

/** A comment on the issue, or on its pull request. */
export function comment(
  name: string,
  text: string,
  who: Person,
  means: Meaning,
  more: {
    readonly on?: "issue" | "pull";
    readonly edited?: boolean;
    readonly at?: string;
    readonly seenAs?: string;
    readonly marks?: readonly Mark[];
  } = {},
): Heard {
  const { actor, by, facts } = people[who];
  const change = more.edited === true ? "edited" : "created";
  const event = (world: World): InboundEvent => {
    const over = more.at === undefined ? {} : { updatedAt: more.at };
    return commentEvent(text, {
      by: actor,
      change,
      action: change,
      item: more.on === "pull" ? pullIn(world, over) : issueIn(world, over),
      comment: more.at === undefined ? {} : { createdAt: more.at },
    });
  };
  return plain({
    name: `${who}: ${name}`,
    by,
    means,
    marks: more.marks ?? [],
    event,
    facts: more.seenAs === undefined ? facts : { ...facts, seenAs: more.seenAs },
  });
}

const textOf = (verb: ControlVerb): string =>
  `loop ${verb}${verb.endsWith("collaborator") ? " @carol" : ""}`;
export const keyword = (verb: ControlVerb, who: Person, on: "issue" | "pull" = "issue"): Heard =>
  comment(
    `loop ${verb}${on === "pull" ? " on the pull request" : ""}`,
    textOf(verb),
    who,
    asks(verb),
    { on },
  );
export const words = (who: Person, on: "issue" | "pull" = "issue"): Heard =>
  comment(
    `words${on === "pull" ? " on the pull request" : ""}`,
    "Mind the tests.",
    who,
    { kind: "words" },
    { on },
  );
export const twoKeywords = (text: string): Heard =>
  comment(
    `two keywords, ${JSON.stringify(text)}`,
    text,
    "alice",
    { kind: "nothing" },
    { marks: ["two keywords", "moves nobody"] },
  );
export const twoAddresses: Heard = comment(
  "two addresses",
  "loop start instance:default instance:other",
  "alice",
  { kind: "nothing" },
  { marks: ["moves nobody"] },
);
export const addressed = (verb: ControlVerb, to: "here" | "elsewhere"): Heard =>
  comment(
    `loop ${verb} to ${to === "here" ? "us" : "another instance"}`,
    `loop ${verb} instance:${to === "here" ? "default" : "other"}`,
    "alice",
    asks(verb, { address: to }),
  );
export const edited = (verb: ControlVerb): Heard =>
  comment(
    `edits a comment into loop ${verb}`,
    `loop ${verb}`,
    "alice",
    { kind: "nothing" },
    { edited: true, marks: ["moves nobody", "edited in"] },
  );
export const late = (verb: ControlVerb): Heard =>
  comment(`loop ${verb} of a minute before`, textOf(verb), "alice", asks(verb, { where: "late" }), {
    at: earlier,
  });
export const stale = (verb: ControlVerb): Heard =>
  comment(
    `loop ${verb} of a month before`,
    `loop ${verb}`,
    "alice",
    { kind: "nothing" },
    { at: longAgo, marks: ["moves nobody"] },
  );
export const again = (verb: ControlVerb): Heard =>
  comment(
    `loop ${verb}, delivered again`,
    `loop ${verb}`,
    "alice",
    { kind: "nothing" },
    { seenAs: "before", marks: ["moves nobody"] },
  );
export const onCommandLine = (verb: ControlVerb): Heard =>
  plain({
    name: `command line: ${verb}`,
    means: asks(verb, { where: "command line" }),
    event: () =>
      controlEvent({ verb, login: verb.endsWith("collaborator") ? "carol" : null, instance: null }),
  });

export const label = (who: Person, added: boolean): Heard => {
  const { actor, by, facts } = people[who];
  const event = (world: World): InboundEvent =>
    labelEvent({
      by: actor,
      change: added ? "added" : "removed",
      action: added ? "labeled" : "unlabeled",
      item: issueIn(world),
    });
  return plain({
    name: `${who}: ${added ? "puts the label on" : "takes the label off"}`,
    by,
    marks: added ? ["arms"] : [],
    possible: ({ host }) => host.labelled !== added,
    host: (host) => ({ ...host, labelled: added }),
    event,
    facts,
  });
};

/** A label that is not there any more, told late. */
export const lateLabel: Heard = plain({
  name: "alice: the label of two minutes before, after it was taken off",
  marks: ["older label"],
  possible: ({ host, item }) => !host.labelled && item.workItem?.hostUpdatedAt === hostNoon,
  event: (world) =>
    labelEvent({
      by: alice,
      item: issueIn(world, { labels: ["loop: auto-execute"], updatedAt: earliest }),
    }),
});

export const closing = (who: Person): Heard => {
  const { actor, by, facts } = people[who];
  return plain({
    name: `${who}: closes the issue`,
    by,
    means: { kind: "close" },
    possible: ({ host }) => host.open,
    host: (host) => ({ ...host, open: false }),
    event: (world) => closedEvent({ by: actor, item: issueIn(world) }),
    facts: { ...facts, own: "no" },
  });
};

/** A closing of a minute before that is told after its reopening. */
export const lateClosing = (who: Person): Heard => {
  const { actor, by, facts } = people[who];
  return plain({
    name: `${who}: closed the issue a minute before, and it was reopened since`,
    by,
    means: { kind: "closed before" },
    possible: ({ host, item }) =>
      host.open && item.workItem?.open === true && item.workItem.hostUpdatedAt === hostNoon,
    event: (world) =>
      closedEvent({ by: actor, at: earlier, item: issueIn(world, { updatedAt: earlier }) }),
    facts: { ...facts, own: "no" },
  });
};

export const reopening = (who: Person): Heard => {
  const { actor, by, facts } = people[who];
  return plain({
    name: `${who}: reopens the issue`,
    by,
    means: { kind: "reopen" },
    possible: ({ host }) => !host.open,
    host: (host) => ({ ...host, open: true }),
    event: (world) => activityEvent({ by: actor, action: "reopened", item: issueIn(world) }),
    facts: { ...facts, own: "no" },
  });
};

export const merging = (who: Person): Heard => {
  const { actor, by, facts } = people[who];
  return plain({
    name: `${who}: merges the pull request`,
    by,
    possible: ({ host }) => !host.merged,
    host: (host) => ({ ...host, merged: true }),
    event: (world) => closedEvent({ by: actor, item: pullIn(world) }),
    facts: { ...facts, own: "no" },
  });
};

export const push = (who: "alice" | "mallory"): Heard => {
  const { actor, by, facts } = people[who];
  return plain({
    name: `${who}: pushes to the pull request`,
    by,
    means: { kind: "words" },
    possible: ({ host }) => !host.merged,
    event: (world) => activityEvent({ by: actor, action: "synchronize", item: pullIn(world) }),
    facts,
  });
};

export const check = (conclusion: "failure" | "success", named: boolean): Heard =>
  plain({
    name: `CI: ${conclusion}${named ? "" : " of a commit alone"}`,
    by: "nobody",
    possible: ({ host }) => !host.merged,
    event: () => ciEvent({ conclusion, pullRequests: named ? [12] : [] }),
  });
