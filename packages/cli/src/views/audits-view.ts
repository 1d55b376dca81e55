import { parsePayload } from "@loopwork/core/ports";
import { ago } from "../output/time.ts";
import { type Block, line } from "../output/result.ts";

/**
 * The last look for lost deliveries of one repository; `at` is milliseconds since 1970. What cannot
 * be read is null.
 */
export type LastAudit = {
  readonly repository: string;
  readonly at: number | null;
  readonly hooks: number;
  readonly gaps: number;
  readonly lost: number;
  readonly failure: { readonly code: string; readonly message: string } | null;
};

/** What the gap audit wrote down after its last looks, whichever process it ran in. */
export function auditsOf(
  records: readonly { readonly repository: string; readonly record: string }[],
): readonly LastAudit[] {
  return records.map(({ repository, record }) => {
    const parsed = parsePayload(record);
    const { at, hooks, gaps, lost, failure } = parsed.ok ? parsed.payload : {};
    const count = (value: unknown): number => (typeof value === "number" ? value : 0);
    return {
      repository,
      at: typeof at === "number" ? at : null,
      hooks: count(hooks),
      gaps: count(gaps),
      lost: count(lost),
      failure: failureOf(failure),
    };
  });
}

export function auditBlocks(audits: readonly LastAudit[], now: number): readonly Block[] {
  if (audits.length === 0) return [];
  const rows = audits.map((audit) => [
    audit.repository,
    audit.at === null ? "?" : ago(audit.at, now),
    resultOf(audit),
  ]);
  const unable = audits.some(({ failure, hooks }) => failure !== null || hooks === 0);
  return [
    { kind: "heading", text: "Lost deliveries" },
    { kind: "table", columns: ["repository", "last check", "result"], rows, empty: "" },
    ...(unable ? [line("    → Run `loop doctor` to see what is missing")] : []),
  ];
}

/** What was found, or why nobody could look. */
export function resultOf({ hooks, gaps, lost, failure }: LastAudit): string {
  if (failure !== null) return `Check failed: ${failure.message}`;
  if (hooks === 0) return "no webhook points here";
  return gaps === 0
    ? "none"
    : `${gaps} missing${lost === 0 ? ", all recovered" : `, ${lost} lost for good`}`;
}

/** What lets the audit look, by why it cannot. */
export function remedyOf({ failure, hooks }: LastAudit, tokenEnv: string): string | null {
  if (failure === null)
    return hooks === 0
      ? "Create a webhook that points to the receiver, or run `loop init` with --public-url"
      : null;
  if (failure.code === "LOOP_E_HOST_NO_TOKEN")
    return `Set ${tokenEnv}: without a token, missed deliveries can't be recovered`;
  if (failure.code === "LOOP_E_HOST_NOT_FOUND" || failure.code === "LOOP_E_HOST_FORBIDDEN")
    return `Allow the token in ${tokenEnv} to read the repository's webhooks (permission Webhooks, or scope admin:repo_hook)`;
  return failure.code === "LOOP_E_HOST_UNAUTHORIZED" ? `Set ${tokenEnv} to a valid token` : null;
}

function failureOf(value: unknown): LastAudit["failure"] {
  if (typeof value !== "object" || value === null || !("code" in value && "message" in value))
    return null;
  const { code, message } = value;
  return typeof code === "string" && typeof message === "string" ? { code, message } : null;
}
