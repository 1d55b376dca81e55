import type { ItemState } from "../work-item/records.ts";
import { parseRef, type RefText } from "../ref/ref.ts";
import type { CriticReport } from "./critic.ts";
import type { StandingFinding } from "../work-item/graph-record.ts";

/**
 * What a pull request changes, as a unified diff, or a sentence that says why nobody could read it.
 */
export type PullRequestChange = { readonly diff: string } | { readonly unreadable: string };

/** What a critic is handed, as JSON: every pull request of the work item, in every repository. */
export type CriticScope = {
  readonly version: 1;
  readonly workItem: RefText;
  readonly node: string;
  readonly workdir: string;
  /** Of the artifacts, relative to `workdir`; absolute where the repository did not choose loop. */
  readonly folder: string;
  readonly pullRequests: readonly ScopedPull[];
  /** What the round before came to. */
  readonly foundBefore: readonly Pick<StandingFinding, "severity" | "title" | "file" | "line">[];
};

/**
 * A pull request as the scope names it; `diff` is null where nobody could read it, or nobody asked
 * for it.
 */
export type ScopedPull = {
  readonly ref: RefText;
  readonly repository: string;
  readonly number: number;
  readonly open: boolean;
  readonly headSha: string | null;
  readonly headBranch: string | null;
  readonly diff: string | null;
  /** Characters that `diff` lacks at its end. */
  readonly cut: number;
  readonly unreadable: string | null;
};

/**
 * Characters of one pull request's diff, and of all together: what fits into a message beside
 * everything else.
 */
export const diffLimits = { one: 100_000, all: 300_000 } as const;

export type ScopeFacts = {
  readonly workItem: RefText;
  readonly node: string;
  readonly workdir: string;
  readonly folder: string;
  readonly pullRequests: ItemState["pullRequests"];
  /** By the text of the ref; empty where nobody asked. */
  readonly changes: ReadonlyMap<RefText, PullRequestChange>;
  readonly before: readonly StandingFinding[];
};

/**
 * Everything that is recorded against the work item, wherever it lies; one that nobody could read
 * stays in the list.
 */
export function criticScope({
  workItem,
  node,
  workdir,
  folder,
  pullRequests,
  changes,
  before,
}: ScopeFacts): CriticScope {
  const share = Math.min(
    diffLimits.one,
    Math.floor(diffLimits.all / Math.max(1, pullRequests.length)),
  );
  const pulls = pullRequests.flatMap((link): readonly ScopedPull[] => {
    const ref = parseRef(link.pullRequest);
    if (ref === null) return [];
    const { open, headSha, headBranch } = link;
    const repository = `${ref.host === null ? "" : `${ref.host}/`}${ref.owner}/${ref.repo}`;
    return [
      {
        ref: link.pullRequest,
        repository,
        number: ref.number,
        open,
        headSha,
        headBranch,
        ...shown(changes.get(link.pullRequest), share),
      },
    ];
  });
  return {
    version: 1,
    workItem,
    node,
    workdir,
    folder,
    pullRequests: pulls,
    foundBefore: before.map(({ severity, title, file, line }) => ({ severity, title, file, line })),
  };
}

function shown(
  change: PullRequestChange | undefined,
  most: number,
): Pick<ScopedPull, "diff" | "cut" | "unreadable"> {
  if (change === undefined) return { diff: null, cut: 0, unreadable: null };
  if ("unreadable" in change) return { diff: null, cut: 0, unreadable: change.unreadable };
  return {
    diff: change.diff.slice(0, most),
    cut: Math.max(0, change.diff.length - most),
    unreadable: null,
  };
}

/**
 * A round that could not see everything has not judged everything, whatever the critics say of the
 * rest.
 */
export function unseenReports({ pullRequests }: CriticScope): readonly CriticReport[] {
  return pullRequests.flatMap(({ ref, unreadable, cut }): readonly CriticReport[] => {
    if (unreadable !== null)
      return [{ critic: "loop", ok: false, why: `${ref} could not be read: ${unreadable}` }];
    return cut === 0
      ? []
      : [
          {
            critic: "loop",
            ok: false,
            why: `${ref} could not be seen whole: its diff lacks ${cut} characters at its end`,
          },
        ];
  });
}
