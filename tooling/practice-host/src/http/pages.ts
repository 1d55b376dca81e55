import {
  type Comment,
  findItem,
  findRepository,
  fullName,
  type HostState,
  type Item,
  type Repository,
} from "../state.ts";

/**
 * Pages for people, as plain text: the list of repositories, of a repository's threads, or one
 * thread. Null when there is no such page.
 */
export function pageAt(state: HostState, path: string): string | null {
  const [, owner, name, kind, number] = path.split("/");
  if (path === "/") return `${state.repositories.map(fullName).join("\n")}\n`;
  const repository = findRepository(state, owner ?? "", name ?? "");
  if (repository === null) return null;
  if (kind === undefined || (number === undefined && ["issues", "pulls"].includes(kind)))
    return threads(repository);
  const item = findItem(repository, Number(number));
  return item === null || !["issues", "pull"].includes(kind) ? null : thread(item, repository);
}

function threads(repository: Repository): string {
  const lines = repository.items.map(
    (item) =>
      `#${item.number} ${item.pull === null ? "issue" : "pull request"} (${standing(item)}) ${item.title}`,
  );
  return `${fullName(repository)}\n${lines.join("\n")}\n`;
}

/** One issue or pull request with everything that was said, in order. */
export function thread(item: Item, repository: Repository): string {
  const labels =
    item.labels.length === 0
      ? ""
      : `labels: ${item.labels.map((label) => label.name).join(", ")}\n`;
  const branches =
    item.pull === null
      ? ""
      : `${item.pull.head.ref} -> ${item.pull.base.ref} at ${item.pull.head.sha.slice(0, 10)}\n`;
  const head = `${fullName(repository)}#${item.number} ${item.title} (${standing(item)})\n${labels}${branches}`;
  const opening = said(item.author.login, item.createdAt, "", item.body ?? "");
  const comments = item.comments.map((comment) => ({
    at: comment.createdAt,
    id: comment.id,
    text: said(comment.author.login, comment.createdAt, placeOf(comment), comment.body, comment),
  }));
  const reviews = (item.pull?.reviews ?? []).map((review) => ({
    at: review.submittedAt,
    id: review.id,
    text: said(
      review.author.login,
      review.submittedAt,
      ` reviewed: ${review.state.replaceAll("_", " ")}`,
      review.body ?? "",
    ),
  }));
  const rest = [...comments, ...reviews]
    .toSorted((one, other) => one.id - other.id)
    .map((entry) => entry.text);
  return [head, opening, ...rest].join("\n");
}

const standing = (item: Item): string =>
  item.open ? "open" : item.pull?.mergedAt == null ? "closed" : "merged";
const placeOf = (comment: Comment): string =>
  comment.place === null ? "" : ` on ${comment.place.path}:${comment.place.line}`;

function said(
  login: string,
  at: string,
  where: string,
  body: string,
  comment: Comment | null = null,
): string {
  const reactions =
    comment === null || comment.reactions.length === 0
      ? ""
      : `  [${comment.reactions.map((reaction) => `${reaction.content} ${reaction.user.login}`).join(", ")}]\n`;
  return `-- ${login} ${at}${where}\n${body
    .split("\n")
    .map((line) => `  ${line}`)
    .join("\n")}\n${reactions}`;
}
