/**
 * The id of a chat as `create-chat` prints it: one word on the last line; null when there is none.
 * An id has a digit: a word that says why there is none, such as `undefined` or `Unauthorized`, has
 * not.
 */
export function chatIdIn(stdout: string): string | null {
  const last = stdout.trim().split("\n").at(-1)?.trim() ?? "";
  return /^[A-Za-z0-9][A-Za-z0-9-]{7,63}$/.test(last) && /[0-9]/.test(last) ? last : null;
}
