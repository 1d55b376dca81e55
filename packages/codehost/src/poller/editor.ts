import { CodeHostError } from "@loopwork/core/ports";
import type { Editor } from "@loopwork/core/poll";
import type { Client } from "../client.ts";
import { at, textAt } from "../fields.ts";

const question = "query ($id: ID!) { node(id: $id) { ... on Comment { lastEditedAt editor { login } } } }";

/** Who changed a comment last. A host that has no query language, or will not say, leaves it unknown. */
export async function editorOf(client: Client, node: string): Promise<Editor> {
  if (!client.queries) return "unknown";
  try {
    const answer = await client.query("asking who edited a comment", question, { id: node });
    const found = at(answer, "node");
    if (at(found, "lastEditedAt") === null) return null;
    const login = textAt(found, "editor", "login");
    return login === null ? "unknown" : { login };
  } catch (error) {
    if (error instanceof CodeHostError && (error.code === "LOOP_E_HOST_NOT_FOUND" || error.code === "LOOP_E_HOST_REFUSED")) return "unknown";
    throw error;
  }
}
