import type { ControlVerb, decide, evolve, InboundEvent, State } from "@loopwork/core";
import type { World } from "./world.ts";

/** One thing that may happen: an event from outside, or a step that the service takes by itself. */
export type Letter = Heard | Own;

export type Heard = {
  readonly name: string;
  readonly own: false;
  /** Who did it, as the specification counts people. */
  readonly by: "authorized" | "collaborator" | "nobody";
  readonly means: Meaning;
  /** False while it cannot happen, such as closing what is closed. */
  readonly possible: (world: World) => boolean;
  /** What it changes on the host. */
  readonly host: (host: World["host"]) => World["host"];
  /** The event as the host, already changed, tells it. */
  readonly event: (world: World) => InboundEvent;
  /** Facts beside the event: our own marker, a number of another person, a repetition. */
  readonly facts: Partial<Pick<State, "own" | "pinnedActorId" | "seenAs">>;
};

/** What an authorized person asks for by it; `nothing` for whatever must move nobody. */
export type Meaning =
  | { readonly kind: "verb"; readonly verb: ControlVerb; readonly address: "none" | "here" | "elsewhere"; readonly where: "now" | "late" | "command line" }
  | { readonly kind: "close" | "reopen" | "words" | "nothing" };

/** A step of the service's own: the dispatcher takes a turn, a handler carries an effect out, a session is lost. Null when it cannot be taken. */
export type Own = { readonly name: string; readonly own: true; readonly step: (world: World, rules: Rules) => Taken | null };

/** What the step has led to. `told`: a turn reached a conversation. `spawned`: a new conversation began. */
export type Taken = { readonly world: World; readonly told: boolean; readonly spawned: boolean };

/** The functions under test; a mutant puts others in their place. */
export type Rules = { readonly decide: typeof decide; readonly evolve: typeof evolve };

export const plain = (of: Partial<Heard> & Pick<Heard, "name" | "event">): Heard => ({ own: false, by: "authorized", means: { kind: "nothing" }, possible: () => true, host: (host) => host, facts: {}, ...of });
