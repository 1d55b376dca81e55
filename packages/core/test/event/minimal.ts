import type { JsonObject } from "../../src/event/parse-payload.ts";
import type { InboundEvent } from "../../src/event/event.ts";
import { normalise } from "../../src/event/normalise.ts";
import { plain } from "./payloads.ts";

/**
 * Payloads with just what an event must have: everything that a test expects stands in the test.
 */
const repository: JsonObject = { id: 500, name: "shop", owner: { login: "octo" } };
export const issue: JsonObject = { number: 7 };
export const pull: JsonObject = {
  number: 12,
  head: { ref: "issue-7", sha: "a".repeat(40) },
  base: { ref: "main" },
};
export const sha = "a".repeat(40);

/**
 * The payload as the event of that name, as it is kept; `shape` and the like where it is refused.
 */
export function understood(
  event: string,
  payload: JsonObject,
  settings: Parameters<typeof normalise>[2] = { defaultHost: "github.com" },
): InboundEvent | string {
  const read = normalise(
    { id: "d-1", source: "webhook", event },
    { repository, sender: { login: "ada" }, ...payload },
    settings,
  );
  return read.ok ? plain(read.event) : read.why;
}
