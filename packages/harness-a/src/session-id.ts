import { LoopError } from "@loopwork/core/ports";

/** The variable in which harness A tells its hooks and tools the session they belong to. */
export const sessionIdVariable = "CLAUDE_CODE_SESSION_ID";

/** Whether the harness takes the text as an id of a conversation or of a message: a UUID. */
export function isUuid(text: string): boolean {
  return /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i.test(text);
}

/**
 * The id in its one spelling. Throws `LOOP_E_HARNESS_SESSION_ID`: the harness would refuse it only
 * after a spawn.
 */
export function parseSessionId(text: string): string {
  if (isUuid(text)) return text.toLowerCase();
  throw new LoopError(
    "LOOP_E_HARNESS_SESSION_ID",
    "A session id of harness A must be a UUID.",
    "Register the id that the harness printed, for example with: loop sessions register --harness A --harness-session-id <uuid>",
  );
}

/** The session a hook or an agent's command runs in; null outside of harness A. */
export function sessionIdFrom(env: Readonly<Record<string, string | undefined>>): string | null {
  const id = env[sessionIdVariable];
  return id !== undefined && isUuid(id) ? id.toLowerCase() : null;
}
