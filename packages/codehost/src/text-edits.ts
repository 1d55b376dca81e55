import type { Ref } from "@loopwork/core";
import { CodeHostError } from "@loopwork/core/ports";
import type { TextEdit, TextEdits } from "@loopwork/core/poll";
import { accountFields, accountInQuery } from "./accounts.ts";
import type { Client } from "./client.ts";
import { at, listAt, textAt } from "./fields.ts";

const who = `{ ${accountFields} }`;
const edits = `lastEditedAt editor ${who} userContentEdits(first: 100) { nodes { editedAt editor ${who} } } timelineItems(itemTypes: [RENAMED_TITLE_EVENT], last: 100) { nodes { ... on RenamedTitleEvent { createdAt actor ${who} } } }`;
const question = `query ($owner: String!, $repo: String!, $number: Int!) { repository(owner: $owner, name: $repo) { issueOrPullRequest(number: $number) { ... on Issue { ${edits} } ... on PullRequest { ${edits} } } } }`;

/**
 * Who edited title and description of an issue or pull request, and when. `unknown` where the host has no query language, or will not say;
 * rejects with what passes, so that the caller may go by something else.
 */
export async function readTextEdits(client: Client, item: Ref): Promise<TextEdits> {
  if (!client.queries) return "unknown";
  try {
    const answer = await client.query("asking who edited a text", question, { ...client.namesOf(item), number: item.number });
    const found = at(answer, "repository", "issueOrPullRequest");
    return found === null || found === undefined ? "unknown" : editsIn(found);
  } catch (error) {
    if (error instanceof CodeHostError && (error.missing || error.code === "LOOP_E_HOST_REFUSED" || error.code === "LOOP_E_HOST_FORBIDDEN")) return "unknown";
    throw error;
  }
}

/** The last edit stands by itself as well, for a host that keeps no list of them. The list begins with the text as it was written at first. */
function editsIn(found: unknown): TextEdits {
  if (textAt(found, "lastEditedAt") === null && at(found, "lastEditedAt") !== null) return "unknown";
  const bodies = [edit("description", textAt(found, "lastEditedAt"), at(found, "editor")), ...listAt(found, "userContentEdits", "nodes").map((node) => edit("description", textAt(node, "editedAt"), at(node, "editor")))];
  const titles = listAt(found, "timelineItems", "nodes").map((node) => edit("title", textAt(node, "createdAt"), at(node, "actor")));
  return [...bodies, ...titles].filter((each) => each !== null);
}

function edit(what: TextEdit["what"], editedAt: string | null, by: unknown): TextEdit | null {
  return editedAt === null ? null : { what, by: accountInQuery(by), at: editedAt };
}
