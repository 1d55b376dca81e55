import {
  checkHappening,
  type Happening,
  type PollCursor,
  type PolledItem,
  statusHappening,
  suiteHappening,
  workflowHappening,
} from "@loopwork/core";
import { type Gathering, keep, noneWhereMissing } from "./poll-context.ts";

type Read = (raw: unknown, repository: PolledItem["repository"]) => Happening | null;

/**
 * The four ways in which a host tells of CI, of the heads that were recorded against a work item,
 * and of pull requests that are at work by themselves. They have no time to ask from; their tags
 * make asking cheap.
 */
export async function checked(
  poll: Gathering,
  heads: PollCursor["heads"],
): Promise<readonly Happening[]> {
  const found: Happening[] = [];
  const own = [...poll.tracked.open].flatMap((number) => heads[number] ?? []);
  for (const sha of new Set([...poll.tracked.heads, ...own])) {
    const commit = `${poll.base}/commits/${encodeURIComponent(sha)}`;
    const lists: readonly (readonly [string, string, string | null, Read])[] = [
      [
        "reading checks",
        `${commit}/check-runs?filter=latest&per_page=100`,
        "check_runs",
        checkHappening,
      ],
      [
        "reading suites of checks",
        `${commit}/check-suites?per_page=100`,
        "check_suites",
        suiteHappening,
      ],
      [
        "reading workflow runs",
        `${poll.base}/actions/runs?head_sha=${encodeURIComponent(sha)}&per_page=100`,
        "workflow_runs",
        workflowHappening,
      ],
      [
        "reading statuses",
        `${commit}/statuses?per_page=100`,
        null,
        (raw, repository) => statusHappening(raw, sha, repository),
      ],
    ];
    for (const [task, path, name, read] of lists) {
      const entries = await poll.stuck.around(null, () =>
        poll.pages.list(task, path, name).catch(noneWhereMissing),
      );
      found.push(...keep(poll, ...(entries ?? []).map((entry) => read(entry, poll.repository))));
    }
  }
  return found;
}
