import { expect, test } from "vitest";
import { authorityOf } from "../../src/control/authority.ts";
import type { Actor, InboundEvent } from "../../src/event/event.ts";
import {
  activityEvent,
  alice,
  carol,
  ciEvent,
  commentEvent,
  controlEvent,
  mallory,
  someBot,
} from "../../src/testing/build-event.ts";
import { itemOf, policyOf } from "../../src/testing/build-state.ts";

const policy = policyOf({ authorizedUsers: new Set(["alice", "robot[bot]"]) });
const robot: Actor = { login: "robot[bot]", id: "98", bot: true };
const granted = (login: string, id: string | null) =>
  itemOf("started", { collaborators: [{ login, id, grantedBy: "alice", at: 0 }] });
const item = granted("carol", "3");
const start = { verb: "start", login: null, instance: null } as const;

type Known = Partial<Parameters<typeof authorityOf>[1]>;

test.each<
  readonly [
    promise: string,
    event: InboundEvent,
    known: Known,
    authority: string,
    why: string | null,
  ]
>([
  ["checks have no actor", ciEvent(), {}, "none", null],
  [
    "this machine's command line is the operator's",
    controlEvent(start, { source: "cli" }),
    {},
    "authorized",
    null,
  ],
  ["and its API", controlEvent(start, { source: "api" }), {}, "authorized", null],
  [
    "a request that came another way is a stranger's",
    controlEvent(start, { source: "webhook" as "cli" }),
    {},
    "stranger",
    "stranger-dropped",
  ],
  [
    "what nobody did is a stranger's",
    { ...activityEvent(), actor: null },
    {},
    "stranger",
    "stranger-dropped",
  ],
  ["who is listed is authorized", commentEvent("x"), {}, "authorized", null],
  ["in any case", commentEvent("x", { by: { ...alice, login: "ALICE" } }), {}, "authorized", null],
  [
    "who is not is a stranger",
    commentEvent("x", { by: mallory }),
    {},
    "stranger",
    "stranger-dropped",
  ],
  ["also beside what was just asked about another", commentEvent("x"), {}, "authorized", null],
  [
    "a bot that is listed by its name is authorized",
    commentEvent("x", { by: robot }),
    {},
    "authorized",
    null,
  ],
  ["another one is not", commentEvent("x", { by: someBot }), {}, "stranger", "bot-not-listed"],
  [
    "nor may it be a collaborator",
    commentEvent("x", { by: someBot }),
    { item: granted(someBot.login, someBot.id) },
    "stranger",
    "bot-not-listed",
  ],
  ["a collaborator may speak", commentEvent("x", { by: carol }), {}, "collaborator", null],
  [
    "in any case",
    commentEvent("x", { by: { ...carol, login: "Carol" } }),
    {},
    "collaborator",
    null,
  ],
  [
    "also where no number was known when they were let in",
    commentEvent("x", { by: carol }),
    { item: granted("carol", null) },
    "collaborator",
    null,
  ],
  [
    "not under another number",
    commentEvent("x", { by: { ...carol, id: "4" } }),
    {},
    "stranger",
    "actor-id-mismatch",
  ],
  [
    "nor without one",
    commentEvent("x", { by: { ...carol, id: null } }),
    {},
    "stranger",
    "actor-id-mismatch",
  ],
  [
    "who is listed and let in is authorized, whatever number was let in",
    commentEvent("x"),
    { item: granted("alice", "77") },
    "authorized",
    null,
  ],
  [
    "a login that was pinned is authorized under its number",
    commentEvent("x"),
    { pinnedActorId: "1" },
    "authorized",
    null,
  ],
  [
    "and not under another",
    commentEvent("x"),
    { pinnedActorId: "2" },
    "stranger",
    "actor-id-mismatch",
  ],
  [
    "nor without one",
    commentEvent("x", { by: { ...alice, id: null } }),
    { pinnedActorId: "1" },
    "stranger",
    "actor-id-mismatch",
  ],
  [
    "the sender of a comment must be its author",
    commentEvent("x", { comment: { author: mallory } }),
    {},
    "stranger",
    "actor-not-author",
  ],
  [
    "there must be one",
    commentEvent("x", { comment: { author: null } }),
    {},
    "stranger",
    "actor-not-author",
  ],
  [
    "under the same number",
    commentEvent("x", { comment: { author: { ...alice, id: "2" } } }),
    {},
    "stranger",
    "actor-not-author",
  ],
  [
    "where both have one",
    commentEvent("x", { comment: { author: { ...alice, id: null } } }),
    {},
    "authorized",
    null,
  ],
  [
    "each of them",
    commentEvent("x", { by: { ...alice, id: null }, comment: { author: alice } }),
    {},
    "authorized",
    null,
  ],
  [
    "the author's login in another case is the same",
    commentEvent("x", { comment: { author: { ...alice, login: "Alice" } } }),
    {},
    "authorized",
    null,
  ],
  ["other events have no author", activityEvent(), {}, "authorized", null],
])("P04, P08 %s", (_, event, known, authority, why) => {
  expect(authorityOf(event, { item, pinnedActorId: null, ...known }, policy)).toEqual({
    authority,
    why,
  });
});

test("the same login is asked about anew in another list", () => {
  const standings = [policy, policyOf({ authorizedUsers: new Set(["bob"]) }), policy].map(
    (each) => authorityOf(commentEvent("x"), { item, pinnedActorId: null }, each).authority,
  );
  expect(standings).toEqual(["authorized", "stranger", "authorized"]);
});
