import { createRequire } from "node:module";
import { type Json, type JsonObject, objectAt } from "./json.ts";

/**
 * Real payloads of the host, the shape of everything that is sent. Of each event the first example
 * is an old one that does not fit the published schemas, so the last one of an action is taken.
 * Nobody changes an example: it is spread or rewritten.
 */
export function example(event: string, action: string | null): JsonObject {
  const list = examples().find((entry) => objectAt(entry)["name"] === event);
  const candidates = list === undefined ? [] : asList(objectAt(list)["examples"]);
  const found = candidates.findLast(
    (candidate) => action === null || objectAt(candidate)["action"] === action,
  );
  if (found === undefined) throw new Error(`there is no example of ${event} ${action ?? ""}`);
  return objectAt(found);
}

let loaded: readonly Json[] | null = null;

function examples(): readonly Json[] {
  const require = createRequire(import.meta.url);
  loaded ??= asList(require("@octokit/webhooks-examples/api.github.com/index.json"));
  return loaded;
}

const asList = (value: unknown): readonly Json[] => (Array.isArray(value) ? value : []);
