import { parseRef, type Ref } from "./ref.ts";

/** What follows the number does not matter; the parts are judged by `parseRef`. */
const address =
  /^https?:\/\/([^/?#\s]{1,260})\/([^/?#\s]{1,100})\/([^/?#\s]{1,100})\/(?:issues|pulls?)\/(\d{1,10})(?:[/?#]|$)/;

/**
 * A ref as people type it: also without `host:`, and as the address of an issue or pull request,
 * whatever follows that. An address of another host than the default one names its domain, as in
 * every ref. Null for what is none of these.
 */
export function parseTypedRef(text: string, defaultHost: string | null = null): Ref | null {
  return (
    parseRef(text, defaultHost) ??
    parseRef(`host:${text}`, defaultHost) ??
    parseRef(ofAddress(text) ?? "", defaultHost)
  );
}

function ofAddress(text: string): string | null {
  const [, host, owner, repo, number] = address.exec(text) ?? [];
  return host === undefined ? null : `host:${host}/${owner}/${repo}#${number}`;
}
