import type { ServerResponse } from "node:http";

/** What a terminal would obey, a reader would not see, or a page would take for markup. */
const unquiet = /[<>\u007f-\u009f\u00ad\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]/g;

/**
 * JSON in one line that shows every odd character as an escape: the same value, harmless wherever
 * it is looked at.
 */
export function quietJson(value: unknown): string {
  return JSON.stringify(value).replace(
    unquiet,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

export function sendJson(response: ServerResponse, status: number, value: unknown): void {
  response
    .writeHead(status, { "content-type": "application/json; charset=utf-8" })
    .end(quietJson(value));
}
