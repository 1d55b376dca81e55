import type { decide, evolve, InboundEvent, State } from "@loopwork/core";
import type { ControlVerb } from "@loopwork/core/keywords";
import type { World } from "./world.ts";

/** One thing that may happen: an event from outside, or a step that the service takes by itself. */
export type Letter = Heard | Own;

export type Heard = {
  readonly name: string;
  readonly own: false;
  /** Who did it, as the specification counts people. */
  readonly by: "authorized" | "collaborator" | "nobody";
  readonly means: Meaning;
  /** Rules of its own that hold for it beside those for all. */
  readonly marks: readonly Mark[];
  /** False while it cannot happen, such as closing what is closed. */
  readonly possible: (world: World) => boolean;
  /** What it changes on the host. */
  readonly host: (host: World["host"]) => World["host"];
  /** The event as the host, already changed, tells it. */
  readonly event: (world: World) => InboundEvent;
  /** Facts beside the event: our own marker, a number of another person, a repetition. */
  readonly facts: Partial<Pick<State, "own" | "pinnedActorId" | "seenAs">>;
};

/** What is judged of a letter: its name is for people alone. */
export type Nameless = Omit<Heard, "name">;

/**
 * What must hold for a letter beside what holds for all. `two keywords` and `moves nobody`:
 * everything stays as it was, but that of what was `edited in` its author is shown that it did
 * nothing. `older label`: it arms nothing. `arms`: somebody puts the label on.
 */
export const marks = ["two keywords", "moves nobody", "edited in", "older label", "arms"] as const;
export type Mark = (typeof marks)[number];

/** What an authorized person asks for by it; `nothing` for what asks for nothing. */
export type Meaning =
  | {
      readonly kind: "verb";
      readonly verb: ControlVerb;
      readonly address: "none" | "here" | "elsewhere";
      readonly where: "now" | "late" | "command line";
    }
  | { readonly kind: "close" | "closed before" | "reopen" | "words" | "nothing" };

/**
 * A step of the service's own: the dispatcher takes a turn, a handler carries an effect out, a
 * session is lost. Null when it cannot be taken.
 */
export type Own = {
  readonly name: string;
  readonly own: true;
  readonly step: (world: World, rules: Rules) => Taken | null;
};

/**
 * What the step has led to. `told`: a turn reached a conversation. `spawned`: a new conversation
 * began.
 */
export type Taken = { readonly world: World; readonly told: boolean; readonly spawned: boolean };

/** The functions under test; a mutant puts others in their place. */
export type Rules = { readonly decide: typeof decide; readonly evolve: typeof evolve };

export const plain = (of: Partial<Heard> & Pick<Heard, "name" | "event">): Heard => ({
  own: false,
  by: "authorized",
  means: { kind: "nothing" },
  marks: [],
  possible: () => true,
  host: (host) => host,
  facts: {},
  ...of,
});
