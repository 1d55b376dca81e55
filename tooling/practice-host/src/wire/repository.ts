import { fullName, type Label, type Repository } from "../state.ts";
import { example } from "./examples.ts";
import { type JsonObject, nodeId, objectAt, rewrite } from "./json.ts";
import type { Origin } from "./origin.ts";
import { userJson } from "./user.ts";

/** A repository as it stands in payloads and answers. */
export function repositoryJson(repository: Repository, origin: Origin): JsonObject {
  const name = fullName(repository);
  const placed = objectAt(
    rewrite(objectAt(example("issues", "opened")["repository"]), placements(repository, origin)),
  );
  const open = repository.items.filter((item) => item.open).length;
  return {
    ...placed,
    id: repository.id,
    node_id: nodeId("R", repository.id),
    name: repository.name,
    full_name: name,
    owner: userJson(repository.owner, origin),
    html_url: `${origin.url}/${name}`,
    fork: repository.parent !== null,
    default_branch: repository.defaultBranch,
    clone_url: `${origin.url}/${name}.git`,
    open_issues: open,
    open_issues_count: open,
    created_at: repository.createdAt,
    updated_at: repository.createdAt,
    pushed_at: repository.createdAt,
  };
}

/** Rewrites the addresses of an example so that they lead here. */
export function placements(
  repository: Repository,
  origin: Origin,
): readonly (readonly [string, string])[] {
  const name = fullName(repository);
  return [
    ["https://api.github.com/repos/Codertocat/Hello-World", `${origin.apiUrl}/repos/${name}`],
    ["https://github.com/Codertocat/Hello-World", `${origin.url}/${name}`],
    ["git://github.com/Codertocat/Hello-World", `${origin.url}/${name}`],
    ["git@github.com:Codertocat/Hello-World", `git@${new URL(origin.url).hostname}:${name}`],
    ["https://api.github.com", origin.apiUrl],
    ["https://github.com", origin.url],
  ];
}

export function labelJson(label: Label, repository: Repository, origin: Origin): JsonObject {
  const url = `${origin.apiUrl}/repos/${fullName(repository)}/labels/${encodeURIComponent(label.name)}`;
  return {
    id: label.id,
    node_id: nodeId("L", label.id),
    url,
    name: label.name,
    color: label.color,
    default: false,
    description: label.description,
  };
}
