import { parseRef, type Ref } from "./ref.ts";

/**
 * A ref as people type it: also without `host:`, and as the address of an issue or pull request, whatever follows that. An
 * address of another host than the default one names its domain, as in every ref. Null for what is none of these.
 */
export function parseTypedRef(text: string, defaultHost: string | null = null): Ref | null {
  return parseRef(text, defaultHost) ?? parseRef(`host:${text}`, defaultHost) ?? parseRef(ofAddress(text) ?? "", defaultHost);
}

function ofAddress(text: string): string | null {
  const url = /^https?:\/\//.test(text) && URL.canParse(text) ? new URL(text) : null;
  const [, owner, repo, number] = /^\/([^/]+)\/([^/]+)\/(?:issues|pull|pulls)\/(\d{1,10})(?:\/|$)/.exec(url?.pathname ?? "") ?? [];
  return url === null || owner === undefined ? null : `host:${url.host}/${owner}/${repo}#${number}`;
}
