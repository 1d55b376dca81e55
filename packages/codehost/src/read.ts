import { CodeHostError } from "@loopwork/core/ports";

/** Readers of the host's answers: outside data is parsed, never believed. Each throws `LOOP_E_HOST_REFUSED` when the shape is another. */
export type HostComment = { readonly id: string; readonly body: string; readonly login: string | null; readonly url: string | null };

export const closingIssuesQuery = `query ($owner: String!, $repo: String!, $number: Int!) {
  repository(owner: $owner, name: $repo) {
    pullRequest(number: $number) { closingIssuesReferences(first: 10) { nodes { number repository { name owner { login } } } } }
  }
}`;

export function readComment(value: unknown): HostComment {
  const comment = object(value, "a comment");
  return { id: id(comment["id"]), body: text(comment["body"]) ?? "", login: loginOf(comment["user"]), url: text(comment["html_url"]) };
}

export function readComments(value: unknown): readonly HostComment[] {
  return list(value, "comments").map(readComment);
}

export function readLogin(value: unknown): string {
  return text(object(value, "a user")["login"]) ?? odd("a user's login");
}

export function readNumbers(value: unknown): readonly number[] {
  return list(value, "pull requests").flatMap((each) => {
    const pull = object(each, "a pull request");
    return typeof pull["number"] === "number" && pull["state"] === "open" ? [pull["number"]] : [];
  });
}

export function readPullRequest(value: unknown): { readonly headSha: string; readonly headBranch: string; readonly sameRepository: boolean; readonly author: string | null; readonly body: string } {
  const pull = object(value, "a pull request");
  const head = object(pull["head"], "a head");
  const names = [head, object(pull["base"], "a base")].map((side) => (side["repo"] === null || side["repo"] === undefined ? null : text(object(side["repo"], "a repository")["full_name"])));
  return {
    headSha: text(head["sha"]) ?? odd("a head commit"),
    headBranch: text(head["ref"]) ?? odd("a head branch"),
    sameRepository: names[0] !== null && names[0]?.toLowerCase() === names[1]?.toLowerCase(),
    author: loginOf(pull["user"]),
    body: text(pull["body"]) ?? "",
  };
}

/** A pull request that the host does not show has no references. */
export function readClosingIssues(value: unknown): readonly { readonly owner: string; readonly repo: string; readonly number: number }[] {
  const repository = object(value, "an answer")["repository"];
  const pull = repository === null ? null : object(repository, "a repository")["pullRequest"];
  if (pull === null || pull === undefined) return [];
  return list(object(object(pull, "a pull request")["closingIssuesReferences"], "references")["nodes"], "references").flatMap((node) => {
    const issue = object(node, "an issue");
    const place = object(issue["repository"], "a repository");
    const [owner, repo, number] = [loginOf(place["owner"]), text(place["name"]), issue["number"]];
    return owner !== null && repo !== null && typeof number === "number" ? [{ owner, repo, number }] : [];
  });
}

function object(value: unknown, what: string): Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? Object.fromEntries(Object.entries(value)) : odd(what);
}

function list(value: unknown, what: string): readonly unknown[] {
  return Array.isArray(value) ? value : odd(what);
}

function text(value: unknown): string | null {
  return typeof value === "string" ? value : null;
}

function id(value: unknown): string {
  return typeof value === "number" && Number.isSafeInteger(value) ? String(value) : (text(value) ?? odd("an id"));
}

function loginOf(value: unknown): string | null {
  return typeof value === "object" && value !== null && "login" in value ? text(value.login) : null;
}

function odd(what: string): never {
  throw new CodeHostError("LOOP_E_HOST_REFUSED", `the code host's answer has no ${what} where one belongs`);
}
