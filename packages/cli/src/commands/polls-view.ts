import { parsePayload } from "@loopwork/core";
import { ago } from "../output/time.ts";
import { type Block, line } from "./command.ts";

/** The last poll of one repository; `at` is milliseconds since 1970. What cannot be read is null. */
export type LastPoll = { readonly repository: string; readonly at: number | null; readonly stored: number | null; readonly failure: string | null };

/** What the poller wrote down after its last polls, whichever process it ran in. */
export function pollsOf(records: readonly { readonly repository: string; readonly record: string }[]): readonly LastPoll[] {
  return records.map(({ repository, record }) => {
    const parsed = parsePayload(record);
    if (!parsed.ok) return { repository, at: null, stored: null, failure: null };
    const { at, stored, failure } = parsed.payload;
    const message = typeof failure === "object" && failure !== null && "message" in failure && typeof failure.message === "string" ? failure.message : null;
    return { repository, at: typeof at === "number" ? at : null, stored: typeof stored === "number" ? stored : null, failure: message };
  });
}

export function pollBlocks(polls: readonly LastPoll[], enabled: boolean, now: number): readonly Block[] {
  if (polls.length === 0) return enabled ? [{ kind: "heading", text: "Polls" }, line("nothing has been polled yet")] : [];
  const rows = polls.map(({ repository, at, stored, failure }) => [repository, at === null ? "?" : ago(at, now), failure ?? `${stored ?? 0} new`]);
  return [{ kind: "heading", text: "Polls" }, { kind: "table", columns: ["repository", "last poll", "result"], rows, empty: "" }];
}
