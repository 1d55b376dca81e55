import {
  activityEvent,
  commentEvent,
  controlEvent,
  labelEvent,
} from "../../../src/testing/build-event.ts";
import { issueRef, itemOf, sessionOf } from "../../../src/testing/build-state.ts";
import { given } from "../../../src/testing/given.ts";
import { formatRef } from "../../../src/ref/ref.ts";
import type { Rule } from "./rule.ts";

const of = (
  scope: "open" | "addressed" | "locked",
  declared = false,
): {
  readonly instance: {
    readonly name: string;
    readonly scope: "open" | "addressed" | "locked";
    readonly workItems: ReadonlySet<ReturnType<typeof formatRef>>;
  };
} => ({
  instance: { name: "prod", scope, workItems: new Set(declared ? [formatRef(issueRef)] : []) },
});
const fresh = { item: itemOf("idle") };
const managed = { item: itemOf("started", { sessions: [sessionOf()] }) };
const lifted = {
  item: given(fresh, of("open")).after(commentEvent("loop pause"), commentEvent("loop resume"))
    .state.item,
};
const started = ["react eyes", "turn spawn #7", "react hooray"];

/** Which instance takes what. A refusal leaves nothing on the thread. */
export const scopeRules: readonly Rule[] = [
  {
    name: "open takes any start",
    given: given(fresh, of("open")),
    when: commentEvent("loop start"),
    says: "started: start-requested",
    does: started,
  },
  {
    name: "open takes a start that names it",
    given: given(fresh, of("open")),
    when: commentEvent("loop start instance:prod"),
    says: "started: start-requested",
    does: started,
  },
  {
    name: "S10: a start that names another instance",
    given: given(fresh, of("open")),
    when: commentEvent("loop start instance:other"),
    says: "refused: addressed-elsewhere",
  },
  {
    name: "addressed leaves a start without an address",
    given: given(fresh, of("addressed")),
    when: commentEvent("loop start"),
    says: "refused: scope-addressed",
  },
  {
    name: "addressed takes a start that names it",
    given: given(fresh, of("addressed")),
    when: commentEvent("loop start instance:prod"),
    says: "started: start-requested",
    does: started,
  },
  {
    name: "addressed takes nothing but a start of a new item",
    given: given(fresh, of("addressed")),
    when: commentEvent("loop pause instance:prod"),
    says: "refused: scope-addressed",
  },
  {
    name: "addressed leaves what nobody can address",
    given: given(fresh, { ...of("addressed"), requireStartCommand: false }),
    when: commentEvent("go on"),
    says: "ignored: scope-addressed",
  },
  {
    name: "addressed leaves words that name it and ask for no start",
    given: given(fresh, { ...of("addressed"), requireStartCommand: false }),
    when: commentEvent("instance:prod please look"),
    says: "ignored: scope-addressed",
  },
  {
    name: "addressed only arms by a label",
    given: given(fresh, { ...of("addressed"), requireStartCommand: false }),
    when: labelEvent(),
    says: "noted: armed",
  },
  {
    name: "addressed refuses to spawn by activity",
    given: given(fresh, { ...of("addressed"), requireStartCommand: false }),
    when: activityEvent({ action: "edited" }),
    says: "refused: scope-addressed",
  },
  {
    name: "locked takes nothing new",
    given: given(fresh, of("locked")),
    when: commentEvent("loop start instance:prod"),
    says: "refused: scope-locked",
  },
  {
    name: "locked takes what is declared",
    given: given(fresh, of("locked", true)),
    when: commentEvent("loop start"),
    says: "started: start-requested",
    does: started,
  },
  {
    name: "locked goes on with what it manages",
    given: given(managed, of("locked")),
    when: commentEvent("and the header"),
    says: "delivered: input-of-authorized",
    does: ["turn resume #7"],
  },
  {
    name: "a session makes an item managed",
    given: given({ item: itemOf("idle", { sessions: [sessionOf()] }) }, of("locked")),
    when: commentEvent("loop pause"),
    says: "paused: pause-requested",
    does: ["react eyes", "react hooray"],
  },
  {
    name: "a pause that was lifted leaves a control record",
    given: given(lifted, of("addressed")),
    when: commentEvent("loop pause"),
    says: "paused: pause-requested",
    does: ["react eyes", "react hooray"],
    leaves: [(after) => after.workItem?.control.instance, "prod"],
  },
  {
    name: "a comment addressed elsewhere is not forwarded, even by the owner",
    given: given(managed, of("open")),
    when: commentEvent("instance:other please look"),
    says: "ignored: addressed-elsewhere",
  },
  {
    name: "nor is a keyword executed",
    given: given(managed, of("open")),
    when: commentEvent("loop stop instance:other"),
    says: "refused: addressed-elsewhere",
  },
  {
    name: "a comment addressed here is forwarded",
    given: given(managed, of("open")),
    when: commentEvent("instance:prod please look"),
    says: "delivered: input-of-authorized",
    does: ["turn resume #7"],
  },
  {
    name: "drained takes nothing new, also where it is named",
    given: given({ ...fresh, drained: true }, of("open")),
    when: commentEvent("loop start instance:prod"),
    says: "refused: instance-drained",
  },
  {
    name: "drained goes on with what it manages",
    given: given({ ...managed, drained: true }, of("open")),
    when: commentEvent("and the header"),
    says: "delivered: input-of-authorized",
    does: ["turn resume #7"],
  },
  {
    name: "drained takes what is declared",
    given: given({ ...fresh, drained: true }, of("open", true)),
    when: commentEvent("loop start"),
    says: "started: start-requested",
    does: started,
  },
  {
    name: "another instance of the same store owns the item",
    given: given({ ...fresh, ownedBy: "other" }, of("open")),
    when: commentEvent("loop start"),
    says: "refused: owned-elsewhere",
  },
  {
    name: "its labels are that one's business",
    given: given({ ...fresh, ownedBy: "other" }, of("open")),
    when: labelEvent(),
    says: "ignored: owned-elsewhere",
  },
  {
    name: "so is what is done to it",
    given: given({ ...managed, ownedBy: "other" }, of("open")),
    when: activityEvent({ action: "edited" }),
    says: "ignored: owned-elsewhere",
  },
  {
    name: "the command line names an instance like a comment does",
    given: given(managed, of("open")),
    when: controlEvent({ verb: "stop", login: null, instance: "other" }),
    says: "refused: addressed-elsewhere",
  },
  {
    name: "the command line is bound by scope as well",
    given: given(fresh, of("locked")),
    when: controlEvent({ verb: "start", login: null, instance: null }),
    says: "refused: scope-locked",
  },
  {
    name: "say to another instance's item",
    given: given({ ...managed, ownedBy: "other" }, of("open")),
    when: controlEvent({ verb: "say", text: "hello" }),
    says: "refused: owned-elsewhere",
  },
  {
    name: "a request about the graph of another instance's item",
    given: given({ ...managed, ownedBy: "other" }, of("open")),
    when: controlEvent({ verb: "graph", step: "advance", node: null }),
    says: "refused: owned-elsewhere",
  },
];
