import type { JsonObject } from "./parse-payload.ts";
import type {
  ActivityEvent,
  Actor,
  CiEvent,
  ClosedEvent,
  Comment,
  CommentEvent,
  HostEventName,
  Item,
  LabelEvent,
  Repository,
} from "./event.ts";
import type { Moment, ReadMoment } from "./moment.ts";
import type { Arrival } from "./normalise.ts";

/**
 * What the events of the host have in common. Time and key are read when one of them is first asked
 * for, since deciding mostly does without (see `LazyItem`). As JSON each event is the plain object
 * of its type.
 */
abstract class Happening implements Arrival {
  declare readonly deliveryId: string;
  declare readonly source: Arrival["source"];
  declare readonly event: HostEventName;
  declare readonly action: string;
  declare readonly repository: Repository;
  declare readonly actor: Actor | null;
  declare private readonly payload: JsonObject;
  declare private readonly readMoment: ReadMoment;
  declare private moment: Moment | null;

  constructor(arrival: Arrival, payload: JsonObject, actor: Actor | null, readMoment: ReadMoment) {
    this.deliveryId = arrival.deliveryId;
    this.source = arrival.source;
    this.event = arrival.event;
    this.action = arrival.action;
    this.repository = arrival.repository;
    this.actor = actor;
    this.payload = payload;
    this.readMoment = readMoment;
    this.moment = null;
  }

  get at(): string | null {
    return this.known().at;
  }

  get key(): string {
    const { host } = this.repository;
    return host === null ? this.known().key : `${host}/${this.known().key}`;
  }

  private known(): Moment {
    const read = this.readMoment;
    this.moment ??= read(this, this.payload);
    return this.moment;
  }

  protected common(): Omit<ActivityEvent, "kind" | "item"> {
    const { deliveryId, source, event, action, repository, actor, at, key } = this;
    return { deliveryId, source, event, action, repository, actor, at, key };
  }
}

/**
 * An activity or a closing. One class for both, so that the host's events have four classes: V8
 * tells up to four layouts apart at a place that reads them, and looks each field up from the fifth
 * on (measured: 25 ns a decision).
 */
class Occurrence<K extends "activity" | "closed"> extends Happening {
  declare readonly kind: K;
  declare readonly item: Item;

  constructor(
    kind: K,
    arrival: Arrival,
    payload: JsonObject,
    actor: Actor | null,
    readMoment: ReadMoment,
    item: Item,
  ) {
    super(arrival, payload, actor, readMoment);
    this.kind = kind;
    this.item = item;
  }

  toJSON(): Omit<ActivityEvent, "kind"> & { readonly kind: K } {
    return { kind: this.kind, ...this.common(), item: this.item };
  }
}

export function activity(
  arrival: Arrival,
  payload: JsonObject,
  actor: Actor | null,
  readMoment: ReadMoment,
  item: Item,
): ActivityEvent {
  return new Occurrence("activity", arrival, payload, actor, readMoment, item);
}

export function closing(
  arrival: Arrival,
  payload: JsonObject,
  actor: Actor | null,
  readMoment: ReadMoment,
  item: Item,
): ClosedEvent {
  return new Occurrence("closed", arrival, payload, actor, readMoment, item);
}

export class LabelChange extends Happening implements LabelEvent {
  declare readonly kind: "label";
  declare readonly item: Item;
  declare readonly label: string;
  declare readonly change: LabelEvent["change"];

  constructor(
    arrival: Arrival,
    payload: JsonObject,
    actor: Actor | null,
    readMoment: ReadMoment,
    item: Item,
    label: string,
    change: LabelEvent["change"],
  ) {
    super(arrival, payload, actor, readMoment);
    this.kind = "label";
    this.item = item;
    this.label = label;
    this.change = change;
  }

  toJSON(): LabelEvent {
    return {
      kind: this.kind,
      ...this.common(),
      item: this.item,
      label: this.label,
      change: this.change,
    };
  }
}

export class Commenting extends Happening implements CommentEvent {
  declare readonly kind: "comment";
  declare readonly item: Item;
  declare readonly surface: CommentEvent["surface"];
  declare readonly change: CommentEvent["change"];
  declare readonly comment: Comment;

  constructor(
    arrival: Arrival,
    payload: JsonObject,
    actor: Actor | null,
    readMoment: ReadMoment,
    item: Item,
    surface: CommentEvent["surface"],
    change: CommentEvent["change"],
    comment: Comment,
  ) {
    super(arrival, payload, actor, readMoment);
    this.kind = "comment";
    this.item = item;
    this.surface = surface;
    this.change = change;
    this.comment = comment;
  }

  toJSON(): CommentEvent {
    return {
      kind: this.kind,
      ...this.common(),
      item: this.item,
      surface: this.surface,
      change: this.change,
      comment: this.comment,
    };
  }
}

export class Checking extends Happening implements CiEvent {
  declare readonly kind: "ci";
  declare readonly check: CiEvent["check"];

  constructor(
    arrival: Arrival,
    payload: JsonObject,
    readMoment: ReadMoment,
    check: CiEvent["check"],
  ) {
    super(arrival, payload, null, readMoment);
    this.kind = "ci";
    this.check = check;
  }

  toJSON(): CiEvent {
    return { kind: this.kind, ...this.common(), check: this.check };
  }
}
