import type { Item, Repository, User } from "../state.ts";
import { example } from "./examples.ts";
import { type JsonObject, nodeId, objectAt, rewrite } from "./json.ts";
import type { Origin } from "./origin.ts";

/** A user as it stands in payloads and answers. */
export function userJson(user: User, origin: Origin): JsonObject {
  const template = objectAt(example("issues", "opened")["sender"]);
  const placed = objectAt(
    rewrite(template, [
      ["https://api.github.com/users/Codertocat", `${origin.apiUrl}/users/${user.login}`],
      ["https://github.com/Codertocat", `${origin.url}/${user.login}`],
    ]),
  );
  return {
    ...placed,
    login: user.login,
    id: user.id,
    node_id: nodeId("U", user.id),
    avatar_url: `${origin.url}/avatars/${user.id}`,
    type: user.bot ? "Bot" : "User",
    site_admin: false,
  };
}

/** How the author stands to the repository. */
export function association(author: User, repository: Repository): string {
  if (author.login === repository.owner.login) return "OWNER";
  const wrote = repository.items.some(
    (item: Item) =>
      item.author.id === author.id && item.pull?.mergedAt !== null && item.pull !== null,
  );
  return wrote ? "CONTRIBUTOR" : "NONE";
}
