import {
  type Check,
  type Comment,
  type HostState,
  type Item,
  type Label,
  type Repository,
  type Review,
  takeId,
  timeNow,
  type User,
} from "./state.ts";
import type { Sender } from "./webhooks/sender.ts";
import { ciJson, statusPayload } from "./wire/ci.ts";
import { commentJson, issueJson } from "./wire/issue.ts";
import { type JsonObject, objectAt } from "./wire/json.ts";
import type { Origin } from "./wire/origin.ts";
import { diffCommentJson, pullJson, pullOf, reviewJson, simplePullJson } from "./wire/pull.ts";
import { labelJson, repositoryJson } from "./wire/repository.ts";
import { userJson } from "./wire/user.ts";

/** Turns what happened into the webhooks that the host sends about it. */
export interface Announce {
  issue(action: string, item: Item, sender: User, more?: JsonObject): void;
  pull(action: string, item: Item, sender: User, more?: JsonObject): void;
  label(action: "labeled" | "unlabeled", item: Item, label: Label, sender: User): void;
  comment(
    action: "created" | "edited" | "deleted",
    comment: Comment,
    item: Item,
    sender: User,
    more?: JsonObject,
  ): void;
  review(
    action: "submitted" | "edited",
    review: Review,
    item: Item,
    sender: User,
    more?: JsonObject,
  ): void;
  check(check: Check, sender: User): Promise<void>;
}

export function createAnnounce(
  state: HostState,
  repository: Repository,
  origin: () => Origin,
  sender: Pick<Sender, "emit">,
): Announce {
  const common = (who: User): JsonObject => ({
    repository: repositoryJson(repository, origin()),
    sender: userJson(who, origin()),
  });
  const remember = (action: string, item: Item, actor: User, more: JsonObject): void => {
    const [title, event] = [
      objectAt(objectAt(more["changes"])["title"]),
      action === "edited" ? "renamed" : action,
    ];
    if (
      !["labeled", "unlabeled", "closed", "reopened", "renamed"].includes(event) ||
      (event === "renamed" && title["from"] === undefined)
    )
      return;
    const label =
      repository.labels.find(({ name }) => name === objectAt(more["label"])["name"]) ?? null;
    repository.events.push({
      id: takeId(state),
      item,
      event,
      actor,
      at: timeNow(state),
      label,
      renamedFrom: typeof title["from"] === "string" ? title["from"] : null,
    });
  };
  const announce: Announce = {
    issue(action, item, who, more = {}) {
      remember(action, item, who, more);
      sender.emit("issues", action, {
        action,
        issue: issueJson(item, repository, origin()),
        ...more,
        ...common(who),
      });
    },
    pull(action, item, who, more = {}) {
      remember(action, item, who, more);
      sender.emit("pull_request", action, {
        action,
        number: item.number,
        pull_request: pullJson(item, repository, origin()),
        ...more,
        ...common(who),
      });
    },
    label(action, item, label, who) {
      const more = { label: labelJson(label, repository, origin()) };
      if (item.pull === null) announce.issue(action, item, who, more);
      else announce.pull(action, item, who, more);
    },
    comment(action, comment, item, who, more = {}) {
      if (comment.surface === "diff") {
        const about: JsonObject = {
          comment: diffCommentJson(comment, item, repository, origin()),
          pull_request: simplePullJson(item, repository, origin()),
        };
        sender.emit("pull_request_review_comment", action, {
          action,
          ...about,
          ...more,
          ...common(who),
        });
      } else {
        const about: JsonObject = {
          issue: issueJson(item, repository, origin()),
          comment: commentJson(comment, item, repository, origin()),
        };
        sender.emit("issue_comment", action, { action, ...about, ...more, ...common(who) });
      }
    },
    review(action, review, item, who, more = {}) {
      // The host's webhooks tell when it was changed, its lists do not.
      const told = {
        ...reviewJson(review, item, repository, origin()),
        ...(review.edited === undefined ? {} : { updated_at: review.edited.at }),
      };
      const about: JsonObject = {
        review: told,
        pull_request: simplePullJson(item, repository, origin()),
      };
      sender.emit("pull_request_review", action, { action, ...about, ...more, ...common(who) });
    },
    async check(check, who) {
      if (check.kind === "status") {
        sender.emit("status", "", {
          ...(await statusPayload(check, repository, origin())),
          ...common(who),
        });
        return;
      }
      const action =
        check.status === "completed"
          ? "completed"
          : check.kind === "check_run"
            ? "created"
            : "requested";
      const about = await ciJson(check, repository, origin());
      sender.emit(check.kind, action, { action, ...about, ...common(who) });
    },
  };
  return announce;
}

/** What a push changed about an open pull request. */
export const pushed = (item: Item, before: string): JsonObject => ({
  before,
  after: pullOf(item).head.sha,
});
