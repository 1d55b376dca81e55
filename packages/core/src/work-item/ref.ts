/**
 * References to issues and pull requests: `host:<owner>/<repo>#<n>`, and `host:<domain>/<owner>/<repo>#<n>` on
 * another host than the default one (service.md 2.2, decisions.md 1).
 */
export type Ref = {
  /** Domain in lower case; null means the default host. */
  readonly host: string | null;
  readonly owner: string;
  readonly repo: string;
  /** 1 to 2,147,483,647. */
  readonly number: number;
};

/** The written form of a ref; made only by `formatRef`, with owner and repo in lower case (the host ignores case). */
export type RefText = string & { readonly __refText: true };

/** The written form; the host ignores the case of domain, owner and repository. */
export function formatRef({ host, owner, repo, number }: Ref): RefText {
  const domain = host === null ? "" : `${host.toLowerCase()}/`;
  return `host:${domain}${owner.toLowerCase()}/${repo.toLowerCase()}#${number}` as RefText;
}
