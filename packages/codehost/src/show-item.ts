import type { JsonObject, Ref } from "@loopwork/core/ports";
import { type CodeHostOptions, createClient } from "./client.ts";
import { numberAt } from "./fields.ts";
import { nullIfMissing } from "./pulls.ts";

/** An issue or pull request, and its repository, as the host's own payloads show them. */
export type ShownItem = { readonly issue: JsonObject; readonly repository: JsonObject };

/**
 * Reads an item for somebody who starts it from the command line: no event has shown it then.
 * Resolves to null when there is none of that number, or the token may not see it; rejects with
 * `CodeHostError` when the host cannot be asked.
 */
export function createShowItem(options: CodeHostOptions): (ref: Ref) => Promise<ShownItem | null> {
  const client = createClient(options);
  return async (ref) => {
    const names = client.namesOf(ref);
    const [issue, repository] = await Promise.all([
      client
        .get("reading an issue", "/repos/{owner}/{repo}/issues/{number}", {
          ...names,
          number: ref.number,
        })
        .catch(nullIfMissing),
      client.get("reading a repository", "/repos/{owner}/{repo}", names).catch(nullIfMissing),
    ]);
    // An issue that was moved answers with its new place, which is another item.
    if (
      !isObject(issue?.data) ||
      !isObject(repository?.data) ||
      numberAt(issue.data, "number") !== ref.number
    )
      return null;
    return { issue: issue.data, repository: repository.data };
  };
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
