import type { EventLine } from "../audit/event-kinds.ts";
import type { InstanceLife, InstanceRow } from "../control/instance-life.ts";
import type { ItemState } from "../work-item/records.ts";
import type { RefText } from "../work-item/ref.ts";
import type { OutboxEntry } from "./lanes.ts";

/**
 * The instances that share a store, each with its present life. Times are by the store's own clock.
 */
export interface Instances {
  /**
   * Begins a life of this handle's instance. From then on no other handle that began one gets a
   * lane of the instance: one that was stopped and wakes later takes nothing more.
   */
  enter(life: InstanceLife): Promise<void>;
  /**
   * Says that this life goes on, with the scope as it is now. False, changing nothing, when another
   * one began since.
   */
  beat(scope: InstanceLife["scope"]): Promise<boolean>;
  /** Says that this life ended as it should; does nothing when another one began since. */
  leave(): Promise<void>;
  /** Every instance that ever began a life, by name. */
  list(): Promise<readonly InstanceRow[]>;
  /** Whether this instance was told to take nothing new. */
  isDrained(): Promise<boolean>;
  /**
   * Tells an instance to take nothing new, or that it may again; false, changing nothing, when
   * nobody knows it.
   */
  drain(name: string, drained: boolean, lines: readonly EventLine[]): Promise<boolean>;
  /**
   * Work items of the instance: which somebody asked it for, with a session that is active, or with
   * turns that wait or are under way. By ref.
   */
  itemsOf(name: string): Promise<readonly RefText[]>;
  /**
   * Moves one of those to this handle's instance, in one transaction: folds the state, takes over
   * the lanes under a higher fence, which shuts out who had them, and the posts that are pending. A
   * turn that was under way there becomes `uncertain` and holds its lane, because nobody can tell
   * from here what became of it; a reply whose posting had begun fails, as it may stand on the
   * thread. What this instance turned away, for whatever reason but with no effect, and `from` has
   * not decided is undecided again, so that nothing that was said meanwhile is lost; what `from`
   * has decided counts as decided here. Null, changing nothing, when the item is not of `from`;
   * rejects with what `check` throws.
   */
  adopt(from: string, workItem: RefText, how: Adoption): Promise<Adopted | null>;
}

/**
 * `note` is what the turns that become uncertain, the holds of their lanes and the replies that
 * fail say. `check` is shown the life of the old owner as it is in the transaction, null for one
 * that never began any, and throws where nothing may be taken from it.
 */
export type Adoption = {
  readonly fold: (item: ItemState) => ItemState;
  readonly note: string;
  readonly check: (from: InstanceRow | null) => void;
  readonly lines: (adopted: Adopted) => readonly EventLine[];
};

/**
 * Turns that a person has to decide about, replies whose posting had begun, and how many deliveries
 * are decided anew.
 */
export type Adopted = {
  readonly uncertain: readonly number[];
  readonly begun: readonly OutboxEntry[];
  readonly decidedAnew: number;
};
