import { createHash } from "node:crypto";
import { CodeHostError, type JsonObject } from "@loopwork/core/ports";
import { listedField, type PollCursor, type PolledItem } from "@loopwork/core";
import type { Client } from "../client.ts";
import { numberAt } from "../fields.ts";

/**
 * Issues and pull requests by number: those that were listed, others asked for once. Null when
 * there is none of that number.
 */
export type Subjects = {
  readonly issue: (number: number) => Promise<PolledItem | null>;
  readonly pull: (number: number) => Promise<PolledItem | null>;
};

export function createSubjects(
  client: Client,
  base: string,
  repository: JsonObject,
  listed: { readonly items: readonly unknown[]; readonly pulls: readonly unknown[] },
  texts: PollCursor["texts"] = {},
): Subjects {
  const known = { issues: byNumber(listed.items), pulls: byNumber(listed.pulls) };
  const find = async (kind: "issues" | "pulls", number: number): Promise<PolledItem | null> => {
    let found = known[kind].get(number);
    if (found === undefined) {
      found = await readItem(client, `${base}/${kind}/${number}`);
      known[kind].set(number, found);
    }
    return found === null
      ? null
      : {
          repository,
          type: kind === "pulls" ? "pull-request" : "issue",
          number,
          item: asListed(found, texts[number]),
        };
  };
  return { issue: (number) => find("issues", number), pull: (number) => find("pulls", number) };
}

/**
 * An item that says when its text was read: events are shown as they were, and the text is as it is
 * now.
 */
function asListed(item: JsonObject, before: string | undefined): JsonObject {
  const since =
    before === undefined ? "new" : isSameText(before, textDigest(item)) ? "same" : "changed";
  return { ...item, [listedField]: { at: item["updated_at"] ?? null, since } };
}

/** Digests of an item's description and title, with a dot between. */
export function textDigest(item: JsonObject): string {
  return [item["body"], item["title"]]
    .map((text) =>
      createHash("sha256")
        .update(typeof text === "string" ? text : "")
        .digest("hex")
        .slice(0, 16),
    )
    .join(".");
}

/**
 * Whether two digests are of the same text; what earlier versions kept is of the description alone.
 */
function isSameText(before: string, now: string): boolean {
  return before.includes(".") ? before === now : before === descriptionOf(now);
}

/** The first of the two digests. */
export const descriptionOf = (digest: string): string => digest.split(".", 1)[0] ?? "";

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

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value);

function byNumber(entries: readonly unknown[]): Map<number, JsonObject | null> {
  return new Map(
    entries.flatMap((entry) =>
      isObject(entry) && numberAt(entry, "number") !== null
        ? [[numberAt(entry, "number") ?? 0, entry]]
        : [],
    ),
  );
}
