import { createRequire } from "node:module";
import { isJsonObject, type JsonObject } from "../../src/event/parse-payload.ts";
import { hostEventName } from "../../src/event/host-events.ts";
import type { HostEventName, InboundEvent } from "../../src/event/event.ts";

/** A real payload of the host under its event name. */
export type Example = {
  readonly event: HostEventName;
  readonly payload: JsonObject;
  readonly title: string;
};

/** Every example of the nine events in the public set of payloads: 103 of them. */
export const examples: readonly Example[] = readExamples();

/** A copy of the first example that fits, to be changed. */
export function example(event: HostEventName, action: string | null = null, index = 0): JsonObject {
  const fitting = examples.filter(
    (each) => each.event === event && (action === null || each.payload["action"] === action),
  );
  const found = fitting[index];
  if (found === undefined) throw new Error(`no example ${event} ${action ?? ""} ${index}`);
  return structuredClone(found.payload);
}

/**
 * Replaces values by path: `change(payload, { "pull_request.head.repo": null })`. `undefined`
 * removes the key.
 */
export function change(
  payload: JsonObject,
  changes: Readonly<Record<string, unknown>>,
): JsonObject {
  let changed: JsonObject = payload;
  for (const [path, value] of Object.entries(changes))
    changed = changeAt(changed, path.split("."), value);
  return changed;
}

/**
 * The event as it is kept: what a comparison sees, since it does not look at fields that are read
 * late.
 */
export function plain(event: InboundEvent): InboundEvent {
  return JSON.parse(JSON.stringify(event));
}

function changeAt(object: JsonObject, path: readonly string[], value: unknown): JsonObject {
  const [key, ...rest] = path;
  if (key === undefined) throw new Error("empty path");
  if (rest.length > 0) {
    const inner = object[key];
    return { ...object, [key]: changeAt(isJsonObject(inner) ? inner : {}, rest, value) };
  }
  const { [key]: _removed, ...others } = object;
  return value === undefined ? others : { ...object, [key]: value };
}

function readExamples(): readonly Example[] {
  const sets: unknown = createRequire(import.meta.url)(
    "@octokit/webhooks-examples/api.github.com/index.json",
  );
  const found: Example[] = [];
  for (const set of asArray(sets)) {
    if (!isJsonObject(set) || typeof set["name"] !== "string") continue;
    const event = hostEventName(set["name"]);
    if (event === null) continue;
    let index = 0;
    for (const payload of asArray(set["examples"])) {
      if (!isJsonObject(payload)) continue;
      found.push({ event, payload, title: `${event} ${String(payload["action"] ?? "")} ${index}` });
      index += 1;
    }
  }
  return found;
}

function asArray(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
