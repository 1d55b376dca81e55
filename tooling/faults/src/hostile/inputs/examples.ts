import { createRequire } from "node:module";
import type { Stage } from "../../payloads.ts";

export type Json =
  | string
  | number
  | boolean
  | null
  | readonly Json[]
  | { readonly [key: string]: Json };
export type Example = { readonly event: string; readonly payload: Json; readonly text: string };

const routed = new Set([
  "issues",
  "issue_comment",
  "pull_request",
  "pull_request_review",
  "pull_request_review_comment",
  "workflow_run",
  "check_run",
  "check_suite",
  "status",
]);
/** Of the many examples of events that nobody routes one in so many is taken. */
const unroutedShare = 6;

let loaded: readonly Example[] | null = null;

/**
 * The host's published examples as our host would send them: its addresses in place of the public
 * one's, so that they are routed and not turned away as foreign.
 */
export function examplesFor(stage: Stage): readonly Example[] {
  loaded ??= read(stage);
  return loaded;
}

function read(stage: Stage): readonly Example[] {
  const sets: unknown = createRequire(import.meta.url)(
    "@octokit/webhooks-examples/api.github.com/index.json",
  );
  if (!Array.isArray(sets)) throw new Error("the examples have another form than expected");
  const found: Example[] = [];
  for (const { name, examples } of sets) {
    for (const [n, payload] of examples.entries()) {
      if (!routed.has(name) && n % unroutedShare !== 0) continue;
      const text = JSON.stringify(payload)
        .replaceAll("https://api.github.com", `${stage.hostUrl}/api/v3`)
        .replaceAll("https://github.com", stage.hostUrl);
      const parsed: Json = JSON.parse(text);
      // Half of them about the repository that is worked on.
      for (const each of routed.has(name)
        ? [text, text.replaceAll("Codertocat/Hello-World", `${stage.owner}/${stage.repo}`)]
        : [text])
        found.push({ event: name, payload: each === text ? parsed : JSON.parse(each), text: each });
    }
  }
  return found;
}
