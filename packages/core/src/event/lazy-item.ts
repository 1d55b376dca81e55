import { isJsonObject, type JsonObject } from "./parse-payload.ts";
import { readActor } from "./actor.ts";
import type { Actor, Branches, Item, Listed } from "./event.ts";
import { idText, prose, text, time } from "./fields.ts";

/**
 * An issue or pull request that reads most of its fields when somebody asks for them.
 *
 * A payload has some fifty fields that may be wanted, and most events are dropped after a look at a
 * number, the labels and a login: reading everything first took longer than deciding. Whatever
 * tells that the payload does not fit is still read, and refused, before this is made; left for
 * later is what just becomes null or empty when it is odd. As JSON, which is how events are kept,
 * it is the whole plain item. A spread would not copy what is read late: see `changed`.
 */
export class LazyItem implements Item {
  declare readonly type: Item["type"];
  declare readonly number: number;
  declare readonly open: boolean;
  declare readonly labels: readonly string[];
  declare readonly branches: Branches | null;
  declare private readonly raw: JsonObject;

  constructor(
    raw: JsonObject,
    type: Item["type"],
    number: number,
    open: boolean,
    labels: readonly string[],
    branches: Branches | null,
  ) {
    this.type = type;
    this.number = number;
    this.open = open;
    this.labels = labels;
    this.branches = branches;
    this.raw = raw;
  }

  get reopened(): true | undefined {
    return this.open && this.raw["state_reason"] === "reopened" ? true : undefined;
  }

  get id(): string | null {
    return idText(this.raw["id"]);
  }

  get title(): string {
    return prose(this.raw["title"]);
  }

  get body(): string {
    return prose(this.raw["body"]);
  }

  get url(): string | null {
    return text(this.raw["html_url"]);
  }

  get author(): Actor | null {
    return readActor(this.raw["user"]);
  }

  get updatedAt(): string | null {
    return time(this.raw["updated_at"]);
  }

  /** An issue that stands for a pull request says it in a part of its own. */
  get merged(): boolean {
    if (this.branches !== null)
      return this.raw["merged"] === true || typeof this.raw["merged_at"] === "string";
    const pull = this.raw["pull_request"];
    return isJsonObject(pull) && typeof pull["merged_at"] === "string";
  }

  get listed(): Listed | undefined {
    const listed = this.raw[listedField];
    if (!isJsonObject(listed)) return undefined;
    const [at, since] = [time(listed["at"]), listed["since"]];
    return at !== null && (since === "same" || since === "changed" || since === "new")
      ? { at, since }
      : undefined;
  }

  /** The same item in another state, or with other labels, than the payload shows. */
  changed(open: boolean, labels: readonly string[]): LazyItem {
    return new LazyItem(this.raw, this.type, this.number, open, labels, this.branches);
  }

  toJSON(): Item {
    const {
      type,
      number,
      id,
      title,
      body,
      url,
      open,
      labels,
      author,
      updatedAt,
      branches,
      merged,
      listed,
      reopened,
    } = this;
    return {
      type,
      number,
      id,
      title,
      body,
      url,
      open,
      labels,
      author,
      updatedAt,
      branches,
      merged,
      ...(reopened === undefined ? {} : { reopened }),
      ...(listed === undefined ? {} : { listed }),
    };
  }
}

/** Field of an item in which the poller says when it read the text; no host sends it. */
export const listedField = "loop_listed";

/**
 * Branches of a pull request; where the head lives is asked only of those whose name means
 * something.
 */
export class LazyBranches implements Branches {
  declare readonly head: string;
  declare readonly headSha: string;
  declare readonly base: string;
  declare private readonly rawHead: JsonObject;
  declare private readonly rawBase: JsonObject;

  constructor(
    head: JsonObject,
    base: JsonObject,
    headName: string,
    headSha: string,
    baseName: string,
  ) {
    this.head = headName;
    this.headSha = headSha;
    this.base = baseName;
    this.rawHead = head;
    this.rawBase = base;
  }

  get headRepository(): string | null {
    const repo = this.rawHead["repo"];
    return isJsonObject(repo) ? text(repo["full_name"]) : null;
  }

  get headOwner(): Actor | null {
    const repo = this.rawHead["repo"];
    return isJsonObject(repo) ? readActor(repo["owner"]) : null;
  }

  /**
   * `head.repo` is null once a fork was deleted; then the head is in no repository that we know.
   */
  get sameRepository(): boolean {
    const [head, base] = [this.rawHead["repo"], this.rawBase["repo"]];
    return (
      isJsonObject(head) &&
      isJsonObject(base) &&
      typeof head["id"] === "number" &&
      head["id"] === base["id"]
    );
  }

  toJSON(): Branches {
    const { head, headSha, headRepository, headOwner, base, sameRepository } = this;
    return { head, headSha, headRepository, headOwner, base, sameRepository };
  }
}
