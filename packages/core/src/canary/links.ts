/**
 * The links of the chain from the code host to the harness, in the order in which a delivery meets
 * them.
 */
export const canaryLinks = [
  "secret",
  "port",
  "path",
  "disk",
  "store",
  "routing",
  "clock",
  "git",
  "harness-binary",
  "login",
  "trust-file",
] as const;
export type CanaryLink = (typeof canaryLinks)[number];

/**
 * What is known of one link. `weak` works and deserves a look, `unknown` was not reached. `found`
 * is one phrase, `todo` what to type or change.
 */
export type LinkReport = {
  readonly link: CanaryLink;
  readonly state: "good" | "weak" | "broken" | "unknown";
  readonly found: string;
  readonly todo: string | null;
};

/**
 * One report for each link, in their order; of a link that nobody looked at nothing is known. The
 * worst report of a link counts.
 */
export function allLinks(reports: readonly LinkReport[]): readonly LinkReport[] {
  return canaryLinks.map(
    (link) =>
      reports
        .filter((report) => report.link === link)
        .toSorted((a, b) => badness[b.state] - badness[a.state])[0] ?? {
        link,
        state: "unknown",
        found: "not reached",
        todo: null,
      },
  );
}

const badness: Readonly<Record<LinkReport["state"], number>> = {
  unknown: 0,
  good: 1,
  weak: 2,
  broken: 3,
};

/** As people write it. */
export function linkName(link: CanaryLink): string {
  return link.replace("-", " ");
}

/** A report as a field of an event line, which holds no more than text. */
export function formatLinkReport({ state, found, todo }: LinkReport): string {
  return JSON.stringify([state, found, todo]);
}

/** Reads it back; null for what is no report. */
export function parseLinkReport(link: CanaryLink, field: unknown): LinkReport | null {
  try {
    const value: unknown = typeof field === "string" ? JSON.parse(field) : null;
    if (!Array.isArray(value)) return null;
    const [state, found, todo]: unknown[] = value;
    const known = state === "good" || state === "weak" || state === "broken" || state === "unknown";
    return known && typeof found === "string" && (todo === null || typeof todo === "string")
      ? { link, state, found, todo }
      : null;
  } catch {
    return null;
  }
}
