import { addReaction } from "../actions/comments.ts";
import {
  type Comment,
  findItem,
  findRepository,
  fullName,
  type Item,
  type Repository,
  type Review,
  type User,
} from "../state.ts";
import { type JsonObject, nodeId } from "../wire/json.ts";
import { type Answer, ok } from "./answer.ts";
import { type Call, type Route, textIn } from "./route.ts";
import { signedIn } from "./within.ts";

/**
 * The questions that have no address of their own: which issues a pull request closes, a reaction
 * on a review, and who edited a text. Queries are told apart by the field that they name; this is
 * no reader of the query language.
 */
export const graphqlRoutes: readonly Route[] = [
  { method: "POST", path: "/api/graphql", answer: signedIn(ask) },
];

function ask(call: Call): Answer {
  const query = textIn(call.body, "query") ?? "";
  if (query.includes("closingIssuesReferences")) return closing(call);
  if (query.includes("addReaction")) return react(call);
  if (query.includes("userContentEdits")) return editsOfItem(call);
  if (query.includes("lastEditedAt")) return edited(call);
  return ok({ errors: [{ message: "this query is not practised here" }] });
}

function closing(call: Call): Answer {
  const variables = call.body["variables"];
  const read = (name: string): unknown =>
    typeof variables === "object" && variables !== null
      ? Object.entries(variables).find(([key]) => key === name)?.[1]
      : undefined;
  const repository = findRepository(call.state, String(read("owner")), String(read("repo")));
  const item = repository === null ? null : findItem(repository, Number(read("number")));
  if (repository === null || item?.pull == null)
    return ok({
      data: { repository: { pullRequest: null } },
      errors: [{ type: "NOT_FOUND", message: "Could not resolve to a PullRequest" }],
    });
  const nodes = closedBy(item, repository).map((number) => ({
    number,
    repository: { nameWithOwner: fullName(repository) },
  }));
  return ok({ data: { repository: { pullRequest: { closingIssuesReferences: { nodes } } } } });
}

const closingWords = [
  "close",
  "closes",
  "closed",
  "fix",
  "fixes",
  "fixed",
  "resolve",
  "resolves",
  "resolved",
];

/** Issues of the same repository that a word in the body closes: `Closes #7`. */
function closedBy(item: Item, repository: Repository): readonly number[] {
  const words = (item.body ?? "").split(/\s/);
  const named = words.flatMap((word, index) => {
    const before = (words[index - 1] ?? "").toLowerCase().replace(":", "");
    const number = Number(/^#(\d{1,9})[.,;]?$/.exec(word)?.[1]);
    return closingWords.includes(before) && findItem(repository, number)?.pull === null
      ? [number]
      : [];
  });
  return [...new Set(named)];
}

function react(call: Call): Answer {
  const variables = JSON.stringify(call.body["variables"] ?? {});
  const review = reviewIn(call);
  const content = /"content":"([A-Z_]{1,20})"/.exec(variables)?.[1];
  if (review === undefined || content === undefined || call.user === null)
    return ok({
      data: { addReaction: null },
      errors: [{ type: "NOT_FOUND", message: "Could not resolve to a node" }],
    });
  addReaction(call.state, review, content.toLowerCase(), call.user);
  return ok({ data: { addReaction: { reaction: { content } } } });
}

/**
 * Edits of the description and of the comment that is named beside it, the text as it was written
 * at first among them once there is any, and renamings; newest first, as on the real host.
 */
function editsOfItem(call: Call): Answer {
  const variables = call.body["variables"];
  const read = (name: string): unknown =>
    typeof variables === "object" && variables !== null
      ? Object.entries(variables).find(([key]) => key === name)?.[1]
      : undefined;
  const repository = findRepository(call.state, String(read("owner")), String(read("repo")));
  const item = repository === null ? null : findItem(repository, Number(read("number")));
  if (repository === null || item === null)
    return ok({
      data: { repository: { issueOrPullRequest: null } },
      errors: [{ type: "NOT_FOUND", message: "Could not resolve to an issue or pull request" }],
    });
  const renamed = repository.events
    .filter((event) => event.item === item && event.event === "renamed")
    .map(({ at, actor }) => ({ createdAt: at, actor: editorJson(actor) }));
  const named = read("comment");
  const comment =
    named === undefined
      ? undefined
      : [...item.comments, ...(item.pull?.reviews ?? [])].find((each) => nodeOf(each) === named);
  const found = { ...editsJson(item, item.createdAt), timelineItems: { nodes: renamed } };
  const node =
    comment === undefined
      ? null
      : editsJson(comment, "submittedAt" in comment ? comment.submittedAt : comment.createdAt);
  return ok({
    data: { repository: { issueOrPullRequest: found }, ...(named === undefined ? {} : { node }) },
  });
}

function editsJson(
  { author, edits }: Pick<Item, "author" | "edits">,
  writtenAt: string,
): JsonObject {
  const all = edits.length === 0 ? [] : [{ by: author, at: writtenAt }, ...edits].toReversed();
  const last = edits.at(-1);
  return {
    lastEditedAt: last?.at ?? null,
    editor: last === undefined ? null : editorJson(last.by),
    userContentEdits: {
      nodes: all.map(({ by, at }) => ({ editedAt: at, editor: editorJson(by) })),
    },
  };
}

function nodeOf(said: Comment | Review): string {
  return nodeId("state" in said ? "PRR" : said.surface === "diff" ? "PRRC" : "IC", said.id);
}

function edited(call: Call): Answer {
  const variables = JSON.stringify(call.body["variables"] ?? {});
  const comments = call.state.repositories.flatMap((repository) =>
    repository.items.flatMap((item) => item.comments),
  );
  const review = reviewIn(call);
  if (review !== undefined)
    return ok({
      data: {
        node: {
          lastEditedAt: review.edited?.at ?? null,
          editor: review.edited === undefined ? null : editorJson(review.edited.by),
        },
      },
    });
  const item = call.state.repositories
    .flatMap(({ items }) => items)
    .find(({ id, pull }) =>
      variables.includes(JSON.stringify(pull === null ? nodeId("I", id) : nodeId("PR", pull.id))),
    );
  if (item !== undefined)
    return ok({
      data: {
        node: {
          lastEditedAt: item.edited?.at ?? null,
          editor: item.edited === undefined ? null : editorJson(item.edited.by),
        },
      },
    });
  const found = comments.find(({ surface, id }) =>
    variables.includes(JSON.stringify(nodeId(surface === "diff" ? "PRRC" : "IC", id))),
  );
  if (found === undefined)
    return ok({
      data: { node: null },
      errors: [{ type: "NOT_FOUND", message: "Could not resolve to a node" }],
    });
  return ok({
    data: {
      node: {
        lastEditedAt: found.editor === null ? null : found.updatedAt,
        editor: found.editor === null ? null : editorJson(found.editor),
      },
    },
  });
}

/** The query language leaves out the suffix that REST gives to bots. */
function editorJson({ id, login, bot }: User): {
  __typename: string;
  login: string;
  databaseId: number;
} {
  return {
    __typename: bot ? "Bot" : "User",
    login: bot ? login.replace(/\[bot\]$/, "") : login,
    databaseId: id,
  };
}

/** The review whose node id a query names. */
function reviewIn({ state, body }: Call): Review | undefined {
  const variables = JSON.stringify(body["variables"] ?? {});
  return state.repositories
    .flatMap(({ items }) => items.flatMap(({ pull }) => pull?.reviews ?? []))
    .find(({ id }) => variables.includes(JSON.stringify(nodeId("PRR", id))));
}
