import { CodeHostError } from "@loopwork/core/ports";
import type { JsonObject } from "@loopwork/core";
import type { Subject } from "@loopwork/core/poll";
import type { Client } from "../client.ts";
import { numberAt } from "../fields.ts";

/** Issues and pull requests by number: those that were listed, others asked for once. Null when there is none of that number. */
export type Subjects = { readonly issue: (number: number) => Promise<Subject | null>; readonly pull: (number: number) => Promise<Subject | null> };

export function createSubjects(client: Client, base: string, repository: JsonObject, listed: { readonly items: readonly unknown[]; readonly pulls: readonly unknown[] }): Subjects {
  const known = { issues: byNumber(listed.items), pulls: byNumber(listed.pulls) };
  const find = async (kind: "issues" | "pulls", number: number): Promise<Subject | null> => {
    let found = known[kind].get(number);
    if (found === undefined) {
      found = await readItem(client, `${base}/${kind}/${number}`);
      known[kind].set(number, found);
    }
    return found === null ? null : { repository, type: kind === "pulls" ? "pull-request" : "issue", number, item: found };
  };
  return { issue: (number) => find("issues", number), pull: (number) => find("pulls", number) };
}

/** The item as the host shows it; null when it is gone, or may not be seen. */
export async function readItem(client: Client, path: string): Promise<JsonObject | null> {
  try {
    const { data } = await client.get("reading an item", path);
    return isObject(data) ? data : null;
  } catch (error) {
    if (error instanceof CodeHostError && error.missing) return null;
    throw error;
  }
}

export const isObject = (value: unknown): value is JsonObject => typeof value === "object" && value !== null && !Array.isArray(value);

function byNumber(entries: readonly unknown[]): Map<number, JsonObject | null> {
  return new Map(entries.flatMap((entry) => (isObject(entry) && numberAt(entry, "number") !== null ? [[numberAt(entry, "number") ?? 0, entry]] : [])));
}
