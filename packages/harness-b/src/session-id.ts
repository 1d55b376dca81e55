import { LoopError } from "@loopwork/core";

/** The id of a chat as `create-chat` prints it: one word on the last line. Throws `LOOP_E_HARNESS_SESSION_ID`. */
export function parseChatId(stdout: string): string {
  const last = stdout.trim().split("\n").at(-1)?.trim() ?? "";
  if (/^[A-Za-z0-9-]{8,64}$/.test(last)) return last;
  throw new LoopError("LOOP_E_HARNESS_SESSION_ID", "Harness B printed no id of a new chat.", "Run cursor-agent create-chat by hand; it may want a login first.");
}
