import type { JsonObject } from "../delivery/admit.ts";
import type { RepositoryName } from "../work-item/repository-names.ts";
import { readActor } from "./actor.ts";
import type { Actor, Comment, CommentEvent, Repository } from "./event.ts";
import { commitId, idText, prose, text, time } from "./fields.ts";

/**
 * A repository of which only the name is read at once, because that is checked. See `LazyItem` for
 * why.
 */
export class LazyRepository implements Repository {
  declare readonly host: string | null;
  declare readonly owner: string;
  declare readonly name: string;
  declare readonly calledNow: RepositoryName | undefined;
  declare private readonly raw: JsonObject;

  constructor(
    raw: JsonObject,
    host: string | null,
    owner: string,
    name: string,
    calledNow: RepositoryName | undefined,
  ) {
    this.host = host;
    this.owner = owner;
    this.name = name;
    this.calledNow = calledNow;
    this.raw = raw;
  }

  get id(): string | null {
    return idText(this.raw["id"]);
  }

  get defaultBranch(): string | null {
    return text(this.raw["default_branch"]);
  }

  get cloneUrl(): string | null {
    return text(this.raw["clone_url"]);
  }

  toJSON(): Repository {
    const { host, owner, name, id, defaultBranch, cloneUrl, calledNow } = this;
    return { host, owner, name, id, defaultBranch, cloneUrl, calledNow };
  }
}

/**
 * A comment or review; that it has an id was seen before. See `LazyItem` for why the rest is read
 * late.
 */
export class LazyComment implements Comment {
  declare private readonly raw: JsonObject;
  declare private readonly place: CommentEvent["surface"];

  constructor(raw: JsonObject, place: CommentEvent["surface"]) {
    this.raw = raw;
    this.place = place;
  }

  get id(): string {
    return idText(this.raw["id"]) ?? "";
  }

  get body(): string {
    return prose(this.raw["body"]);
  }

  get author(): Actor | null {
    return readActor(this.raw["user"]);
  }

  get url(): string | null {
    return text(this.raw["html_url"]);
  }

  get createdAt(): string | null {
    return time(this.raw[this.place === "review" ? "submitted_at" : "created_at"]);
  }

  /** Payloads write it small, the API in capitals. */
  get reviewState(): string | null {
    const state = this.place === "review" ? this.raw["state"] : null;
    return typeof state === "string" ? state.toLowerCase() : null;
  }

  get commitId(): string | null | undefined {
    return this.place === "review" ? commitId(this.raw["commit_id"]) : undefined;
  }

  /** On a diff the time of a change is that of the review, and of reviews payloads tell none. */
  get editedSince(): true | undefined {
    const [created, updated] = [time(this.raw["created_at"]), time(this.raw["updated_at"])];
    return this.place === "conversation" &&
      created !== null &&
      updated !== null &&
      created !== updated
      ? true
      : undefined;
  }

  get nodeId(): string | undefined {
    return text(this.raw["node_id"]) ?? undefined;
  }

  get path(): string | null {
    return this.place === "diff" ? text(this.raw["path"]) : null;
  }

  get line(): number | null {
    const line = this.place === "diff" ? this.raw["line"] : null;
    return typeof line === "number" ? line : null;
  }

  toJSON(): Comment {
    const { id, body, author, url, createdAt, reviewState, commitId, path, line } = this;
    const { editedSince, nodeId } = this;
    return {
      ...{ id, body, author, url, createdAt, reviewState, commitId, path, line },
      ...(editedSince === undefined ? {} : { editedSince }),
      ...(nodeId === undefined ? {} : { nodeId }),
    };
  }
}
