/** The id of a chat as `create-chat` prints it: one word on the last line; null when there is none. */
export function chatIdIn(stdout: string): string | null {
  const last = stdout.trim().split("\n").at(-1)?.trim() ?? "";
  return /^[A-Za-z0-9-]{8,64}$/.test(last) ? last : null;
}
