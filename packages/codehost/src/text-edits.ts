import { CodeHostError, type Ref } from "@loopwork/core/ports";
import type { TextEdit, TextEdits } from "@loopwork/core";
import { accountFields, accountInQuery } from "./accounts.ts";
import type { Client } from "./client.ts";
import { at, listAt, textAt } from "./fields.ts";

const who = `{ ${accountFields} }`;
const ofText = `lastEditedAt editor ${who}
  userContentEdits(first: 100) { nodes { editedAt editor ${who} } }`;
const ofItem = `${ofText}
  timelineItems(itemTypes: [RENAMED_TITLE_EVENT], last: 100) {
    nodes { ... on RenamedTitleEvent { createdAt actor ${who} } }
  }`;
const item = `repository(owner: $owner, name: $repo) {
  issueOrPullRequest(number: $number) {
    ... on Issue { ${ofItem} } ... on PullRequest { ${ofItem} }
  }
}`;
const variables = "$owner: String!, $repo: String!, $number: Int!";
const aboutItem = `query (${variables}) { ${item} }`;
const aboutBoth = `query (${variables}, $comment: ID!) {
  ${item} node(id: $comment) { ... on Comment { ${ofText} } }
}`;

/**
 * Who edited title and description of an issue or pull request, and a comment on it, and when.
 * `unknown` where the host has no query language, or will not say; rejects with what passes, so
 * that the caller may go by something else.
 */
export async function readTextEdits(
  client: Client,
  item: Ref,
  comment: string | null,
): Promise<TextEdits> {
  if (!client.queries) return "unknown";
  const names = { ...client.namesOf(item), number: item.number };
  const [question, values] =
    comment === null ? [aboutItem, names] : [aboutBoth, { ...names, comment }];
  try {
    const answer = await client.query("asking who edited a text", question, values);
    const found = at(answer, "repository", "issueOrPullRequest");
    return found === null || found === undefined ? "unknown" : editsIn(found, at(answer, "node"));
  } catch (error) {
    if (!isRefusal(error)) throw error;
    // Of a comment that is gone nothing is told; the item's own edits still are.
    return comment === null ? "unknown" : readTextEdits(client, item, null);
  }
}

function isRefusal(error: unknown): boolean {
  if (!(error instanceof CodeHostError)) return false;
  const codes: readonly string[] = ["LOOP_E_HOST_REFUSED", "LOOP_E_HOST_FORBIDDEN"];
  return error.missing || codes.includes(error.code);
}

function editsIn(item: unknown, comment: unknown): TextEdits {
  const said = comment === undefined || comment === null ? [] : textEditsIn("comment", comment);
  const bodies = textEditsIn("description", item);
  if (bodies === "unknown" || said === "unknown") return "unknown";
  const titles = listAt(item, "timelineItems", "nodes").flatMap((node) =>
    edit("title", textAt(node, "createdAt"), at(node, "actor")),
  );
  return [...bodies, ...titles, ...said];
}

/**
 * The last edit stands by itself as well, for a host that keeps no list of them. The list begins
 * with the text as it was written at first.
 */
function textEditsIn(what: TextEdit["what"], found: unknown): TextEdits {
  const last = textAt(found, "lastEditedAt");
  if (last === null && at(found, "lastEditedAt") !== null) return "unknown";
  return [
    ...edit(what, last, at(found, "editor")),
    ...listAt(found, "userContentEdits", "nodes").flatMap((node) =>
      edit(what, textAt(node, "editedAt"), at(node, "editor")),
    ),
  ];
}

/** By nobody for an account that is gone. */
function edit(what: TextEdit["what"], editedAt: string | null, by: unknown): readonly TextEdit[] {
  return editedAt === null ? [] : [{ what, by: accountInQuery(by), at: editedAt }];
}
