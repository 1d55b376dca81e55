import { type Account, CodeHostError } from "@loopwork/core/ports";
import type { LastEditor } from "@loopwork/core";
import { accountFields, accountInQuery } from "../accounts.ts";
import type { Client } from "../client.ts";
import { at, textAt } from "../fields.ts";

/** The last change of a text: when, and who made it, undefined where the host does not say who. */
export type LastEdit = { readonly at: string; readonly editor: Account | undefined };

const question = `query ($id: ID!) { node(id: $id) { ... on Comment { lastEditedAt editor { ${accountFields} } } } }`;

/**
 * Null when nobody ever changed the text; `unknown` where the host has no query language, or will
 * not say.
 */
export async function lastEditOf(
  client: Client,
  node: string,
): Promise<LastEdit | null | "unknown"> {
  if (!client.queries) return "unknown";
  try {
    const found = at(
      await client.query("asking who edited a text", question, { id: node }),
      "node",
    );
    const editedAt = textAt(found, "lastEditedAt");
    if (editedAt === null) return at(found, "lastEditedAt") === null ? null : "unknown";
    return { at: editedAt, editor: accountInQuery(at(found, "editor")) ?? undefined };
  } catch (error) {
    if (
      error instanceof CodeHostError &&
      (error.missing ||
        error.code === "LOOP_E_HOST_REFUSED" ||
        error.code === "LOOP_E_HOST_FORBIDDEN")
    )
      return "unknown";
    throw error;
  }
}

/** Who changed a comment or a review last. */
export async function editorOf(client: Client, node: string): Promise<LastEditor> {
  const edit = await lastEditOf(client, node);
  if (edit === null || edit === "unknown") return edit;
  return edit.editor === undefined ? "unknown" : { account: edit.editor, at: edit.at };
}
