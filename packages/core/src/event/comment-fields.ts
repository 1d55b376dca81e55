import { readActor } from "./actor.ts";
import type { Comment, CommentEvent } from "./event.ts";
import { commitId, idText, prose, text, time } from "./fields.ts";
import type { JsonObject } from "./parse-payload.ts";

/** A comment or review, of which was seen before that it has an id. */
export function commentFields(raw: JsonObject, surface: CommentEvent["surface"]): Comment {
  const nodeId = text(raw["node_id"]);
  return {
    id: idText(raw["id"]) ?? "",
    body: prose(raw["body"]),
    author: readActor(raw["user"]),
    url: text(raw["html_url"]),
    createdAt: time(raw[surface === "review" ? "submitted_at" : "created_at"]),
    ...reviewFields(raw, surface),
    ...placeFields(raw, surface),
    ...(wasEdited(raw, surface) ? { editedSince: true } : {}),
    ...(nodeId === null ? {} : { nodeId }),
  };
}

/** Payloads write the state small, the API in capitals. */
function reviewFields(
  raw: JsonObject,
  surface: CommentEvent["surface"],
): Pick<Comment, "reviewState" | "commitId"> {
  if (surface !== "review") return { reviewState: null };
  const state = raw["state"];
  return {
    reviewState: typeof state === "string" ? state.toLowerCase() : null,
    commitId: commitId(raw["commit_id"]),
  };
}

function placeFields(
  raw: JsonObject,
  surface: CommentEvent["surface"],
): Pick<Comment, "path" | "line"> {
  if (surface !== "diff") return { path: null, line: null };
  const line = raw["line"];
  return { path: text(raw["path"]), line: typeof line === "number" ? line : null };
}

/** On a diff the time of a change is that of the review, and of reviews payloads tell none. */
function wasEdited(raw: JsonObject, surface: CommentEvent["surface"]): boolean {
  const [created, updated] = [time(raw["created_at"]), time(raw["updated_at"])];
  return surface === "conversation" && created !== null && updated !== null && created !== updated;
}
