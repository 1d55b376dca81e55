import { type DocumentLimits, type Located, readDocument } from "./document.ts";
import type { ConfigProblem } from "./problem.ts";

/** A YAML text as plain data, or all that is wrong with it. */
export type PlainDocument =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly problems: readonly ConfigProblem[] };

/**
 * Reads YAML or JSON within bounds of the caller, as strictly as a configuration is read: no tags,
 * no duplicate keys, one document.
 */
export function readPlainDocument(text: string, limits: DocumentLimits): PlainDocument {
  const { root, problems } = readDocument(text, limits);
  return root === null ? { ok: false, problems } : { ok: true, value: plain(root) };
}

function plain(located: Located): unknown {
  if (located.kind === "scalar") return located.value;
  if (located.kind === "list") return located.items.map(plain);
  return Object.fromEntries(located.entries.map(({ key, value }) => [key, plain(value)]));
}
