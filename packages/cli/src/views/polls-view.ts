import { parsePayload } from "@loopwork/core/ports";
import { ago } from "../output/time.ts";
import { type Block, line } from "../output/result.ts";

/**
 * The last poll of one repository; `at` is milliseconds since 1970. What cannot be read is null.
 */
export type LastPoll = {
  readonly repository: string;
  readonly at: number | null;
  readonly stored: number | null;
  readonly budget: Budget | null;
  readonly failure: string | null;
};

type Budget = { readonly remaining: number; readonly limit: number; readonly resetAt: number };

/** What the poller wrote down after its last polls, whichever process it ran in. */
export function pollsOf(
  records: readonly { readonly repository: string; readonly record: string }[],
): readonly LastPoll[] {
  return records.map(({ repository, record }) => {
    const parsed = parsePayload(record);
    if (!parsed.ok) return { repository, at: null, stored: null, budget: null, failure: null };
    const { at, stored, budget, failure } = parsed.payload;
    const message =
      typeof failure === "object" &&
      failure !== null &&
      "message" in failure &&
      typeof failure.message === "string"
        ? failure.message
        : null;
    return {
      repository,
      at: typeof at === "number" ? at : null,
      stored: typeof stored === "number" ? stored : null,
      budget: budgetOf(budget),
      failure: message,
    };
  });
}

export function pollBlocks(
  polls: readonly LastPoll[],
  enabled: boolean,
  now: number,
): readonly Block[] {
  if (polls.length === 0)
    return enabled ? [{ kind: "heading", text: "Polls" }, line("Nothing has been polled yet")] : [];
  const rows = polls.map(({ repository, at, stored, failure }) => [
    repository,
    at === null ? "?" : ago(at, now),
    failure ?? `${stored ?? 0} new`,
  ]);
  return [
    { kind: "heading", text: "Polls" },
    { kind: "table", columns: ["repository", "last poll", "result"], rows, empty: "" },
    ...budgetLine(polls, now),
  ];
}

/**
 * The newest word of the host about its limit; polling leaves a tenth of it to comments and
 * questions.
 */
function budgetLine(polls: readonly LastPoll[], now: number): readonly Block[] {
  const newest = polls
    .filter(({ budget }) => budget !== null && budget.resetAt > now)
    .toSorted((a, b) => (a.at ?? 0) - (b.at ?? 0))
    .at(-1)?.budget;
  return newest == null
    ? []
    : [
        line(
          `Rate limit: ${left(newest)}${newest.remaining < newest.limit / 10 ? " (polling pauses until then)" : ""}`,
        ),
      ];
}

/** How much of the host's limit is left, in words. */
export function left({ remaining, limit, resetAt }: Budget): string {
  return `${remaining} of ${limit} requests left until ${new Date(resetAt).toISOString().slice(11, 16)} UTC`;
}

function budgetOf(value: unknown): Budget | null {
  if (
    typeof value !== "object" ||
    value === null ||
    !("remaining" in value && "limit" in value && "resetAt" in value)
  )
    return null;
  const { remaining, limit, resetAt } = value;
  return typeof remaining === "number" && typeof limit === "number" && typeof resetAt === "number"
    ? { remaining, limit, resetAt }
    : null;
}
