import type { PracticeHost } from "../../src/index.ts";

/**
 * One thing that happens on the host, and what every ingress has to tell of it, whether it is told
 * or has to ask. Before each row issue #1 (armed, by ada) and pull request #2 (by agent, recorded
 * against it, branch `issue-1`) are there and known.
 */
export type IngressRow = {
  readonly id: string;
  readonly title: string;
  /** Lets it happen; `step` moves the host's clock a second on before each act. */
  readonly act: (host: PracticeHost, step: (act: () => unknown) => Promise<void>) => Promise<void>;
  /** `event action #number by actor`, in order; CI has no number. */
  readonly tells: readonly string[];
  /** What polling tells instead, because no list of the host shows more (ADR 0010). */
  readonly polled?: readonly string[];
};

const said = "issue_comment created";

export const ingressRows: readonly IngressRow[] = [
  {
    id: "G01",
    title: "an issue is opened",
    act: (host, step) => step(() => host.openIssue({ title: "Weed", body: "please", by: "ben" })),
    tells: ["issues opened #3 by ben"],
  },
  {
    id: "G02",
    title: "an issue is opened with labels",
    act: (host, step) =>
      step(() =>
        host.openIssue({ title: "Weed", labels: ["loop: auto-execute", "later"], by: "ada" }),
      ),
    tells: ["issues opened #3 by ada", "issues labeled #3 by ada", "issues labeled #3 by ada"],
  },
  {
    id: "G03",
    title: "a label comes and goes",
    act: async (host, step) => (
      await step(() => host.label(1, "later", "ben")),
      step(() => host.unlabel(1, "loop: auto-execute", "ada"))
    ),
    tells: ["issues labeled #1 by ben", "issues unlabeled #1 by ada"],
  },
  {
    id: "G04",
    title: "somebody comments",
    act: (host, step) => step(() => host.comment(1, "loop start", "ada")),
    tells: [`${said} #1 by ada`],
  },
  {
    id: "G05",
    title: "several people and a bot comment in one second",
    act: (host, step) =>
      step(() => ["ada", "mallory", "helper[bot]"].map((by) => host.comment(1, `from ${by}`, by))),
    tells: [`${said} #1 by ada`, `${said} #1 by mallory`, `${said} #1 by helper[bot]`],
  },
  {
    id: "G06",
    title: "P04 a comment is edited by its author, and another by somebody else",
    act: async (host, step) => {
      const ids = [host.comment(1, "loop strat", "ada").id, host.comment(1, "fine", "ada").id];
      await step(() => undefined);
      await step(() => host.editComment(ids[0] ?? 0, "loop start", "ada"));
      await step(() => host.editComment(ids[1] ?? 0, "loop start", "mallory"));
    },
    tells: [
      `${said} #1 by ada`,
      `${said} #1 by ada`,
      "issue_comment edited #1 by ada",
      "issue_comment edited #1 by mallory",
    ],
    // The list shows a comment's last words alone.
    polled: ["issue_comment edited #1 by ada", "issue_comment edited #1 by mallory"],
  },
  {
    id: "G07",
    title: "a comment is deleted",
    act: async (host, step) => {
      const { id } = host.comment(1, "never mind", "ada");
      await step(() => host.deleteComment(id, "ada"));
    },
    tells: [`${said} #1 by ada`, "issue_comment deleted #1 by ada"],
    polled: [],
  },
  {
    id: "G08",
    title: "a title is changed",
    act: (host, step) => step(() => host.editIssue(1, { title: "Water daily" }, "ada")),
    tells: ["issues edited #1 by ada"],
  },
  {
    id: "G09",
    title: "the text of an issue is changed by its author",
    act: (host, step) => step(() => host.editIssue(1, { body: "twice a day" }, "ada")),
    tells: ["issues edited #1 by ada"],
  },
  {
    id: "G10",
    title: "the text of an issue is changed by somebody else",
    act: (host, step) => step(() => host.editIssue(1, { body: "never" }, "mallory")),
    tells: ["issues edited #1 by mallory"],
  },
  {
    id: "G11",
    title: "the text of a pull request is changed",
    act: (host, step) => step(() => host.editIssue(2, { body: "Closes #1" }, "ada")),
    tells: ["pull_request edited #2 by ada"],
  },
  {
    id: "G12",
    title: "an issue is closed by somebody who may",
    act: (host, step) => step(() => host.closeIssue(1, "ada")),
    tells: ["issues closed #1 by ada"],
  },
  {
    id: "G13",
    title: "S07 an issue is closed by a stranger, and reopened at once",
    act: async (host, step) => (
      await step(() => host.closeIssue(1, "mallory")),
      step(() => host.reopenIssue(1, "ada"))
    ),
    tells: ["issues closed #1 by mallory", "issues reopened #1 by ada"],
  },
  {
    id: "G14",
    title: "closed, reopened and closed again",
    act: async (host, step) => (
      await step(() => host.closeIssue(1, "ada")),
      await step(() => host.reopenIssue(1, "ada")),
      step(() => host.closeIssue(1, "ben"))
    ),
    tells: ["issues closed #1 by ada", "issues reopened #1 by ada", "issues closed #1 by ben"],
  },
  {
    id: "G15",
    title: "a pull request is opened",
    act: async (host, step) => {
      await host.commit({ branch: "other", message: "work", files: { "b.txt": "b\n" }, by: "ben" });
      await step(() =>
        host.openPull({
          title: "Other",
          head: "other",
          body: "Fixes #1",
          labels: ["later"],
          by: "ben",
        }),
      );
    },
    tells: ["pull_request opened #3 by ben", "pull_request labeled #3 by ben"],
  },
  {
    id: "G16",
    title: "S02 a pull request is opened from a fork",
    act: async (host, step) => {
      const fork = await host.fork("stranger");
      await fork.commit({ branch: "issue-1", message: "Mine", files: { "c.txt": "c\n" } });
      await step(() =>
        host.openPull({
          title: "From a fork",
          head: "issue-1",
          headRepository: fork.fullName,
          by: "stranger",
        }),
      );
    },
    tells: ["pull_request opened #3 by stranger"],
  },
  {
    id: "G17",
    title: "somebody pushes to a pull request",
    act: (host, step) =>
      step(() =>
        host.commit({
          branch: "issue-1",
          message: "more",
          files: { "a.txt": "more\n" },
          by: "ada",
        }),
      ),
    tells: ["pull_request synchronize #2 by ada"],
  },
  {
    id: "G18",
    title: "two people push to a pull request one after the other",
    act: async (host, step) => {
      await step(() =>
        host.commit({
          branch: "issue-1",
          message: "more",
          files: { "a.txt": "more\n" },
          by: "ada",
        }),
      );
      await step(() =>
        host.commit({
          branch: "issue-1",
          message: "even more",
          files: { "a.txt": "even more\n" },
          by: "mallory",
        }),
      );
    },
    tells: ["pull_request synchronize #2 by ada", "pull_request synchronize #2 by mallory"],
  },
  {
    id: "G19",
    title: "somebody comments on a pull request",
    act: (host, step) => step(() => host.comment(2, "loop start", "ada")),
    tells: [`${said} #2 by ada`],
  },
  {
    id: "G20",
    title: "reviews of every kind",
    act: async (host, step) => (
      await step(() =>
        host.review(2, { state: "changes_requested", body: "more water", by: "ada" }),
      ),
      await step(() => host.review(2, { state: "approved", by: "ben" })),
      step(() => host.review(2, { state: "commented", body: "hm", by: "mallory" }))
    ),
    tells: [
      "pull_request_review submitted #2 by ada",
      "pull_request_review submitted #2 by ben",
      "pull_request_review submitted #2 by mallory",
    ],
  },
  {
    id: "G20b",
    title: "P04 a review is edited by its author, and another by somebody else",
    act: async (host, step) => {
      const ids = [
        host.review(2, { body: "loop strat", by: "ada" }).id,
        host.review(2, { body: "fine", by: "ada" }).id,
      ];
      await step(() => undefined);
      await step(() => host.editReview(2, ids[0] ?? 0, "loop start", "ada"));
      await step(() => host.editReview(2, ids[1] ?? 0, "loop start", "mallory"));
    },
    tells: [
      "pull_request_review submitted #2 by ada",
      "pull_request_review submitted #2 by ada",
      "pull_request_review edited #2 by ada",
      "pull_request_review edited #2 by mallory",
    ],
    polled: ["pull_request_review edited #2 by ada", "pull_request_review edited #2 by mallory"],
  },
  {
    id: "G21",
    title: "a comment on a line, and an answer to it",
    act: async (host, step) => {
      await step(() => host.commentOnLine(2, { body: "here", path: "a.txt", by: "ada" }));
      const first = host.issue(2).comments[0]?.id ?? 0;
      await step(() =>
        host.commentOnLine(2, { body: "there", path: "a.txt", replyTo: first, by: "ben" }),
      );
    },
    tells: [
      "pull_request_review_comment created #2 by ada",
      "pull_request_review_comment created #2 by ben",
    ],
  },
  {
    id: "G22",
    title: "a pull request is labelled",
    act: (host, step) => step(() => host.label(2, "loop: auto-execute", "ada")),
    tells: ["pull_request labeled #2 by ada"],
  },
  {
    id: "G23",
    title: "a pull request is closed unmerged",
    act: (host, step) => step(() => host.closeIssue(2, "ben")),
    tells: ["pull_request closed #2 by ben"],
  },
  {
    id: "G24",
    title: "a pull request is merged",
    act: (host, step) => step(() => host.mergePull(2, "ada")),
    tells: ["pull_request closed #2 by ada"],
  },
  ...(["check_run", "check_suite", "workflow_run", "status"] as const).map(
    (kind, n): IngressRow => ({
      id: `G${25 + n}`,
      title: `a ${kind} of the recorded head ends`,
      act: async (host, step) => (
        await step(() => host.check({ name: "build", of: "issue-1", conclusion: "failure", kind })),
        step(() => host.check({ name: "build", of: "issue-1", conclusion: "success", kind }))
      ),
      tells: Array.from(
        { length: 2 },
        () => `${kind} ${kind === "status" ? "" : "completed"} by -`,
      ),
    }),
  ),
  {
    id: "G29",
    title: "a check is asked for and runs",
    act: async (host, step) => (
      await step(() => host.check({ name: "build", of: "issue-1", conclusion: null })),
      step(() =>
        host.check({ name: "build", of: "issue-1", conclusion: null, kind: "workflow_run" }),
      )
    ),
    tells: ["check_run created by -", "workflow_run requested by -"],
    polled: [],
  },
  {
    id: "G30",
    title: "twenty checks of one push",
    act: async (host, step) => {
      await step(() => undefined);
      for (let n = 0; n < 20; n++)
        await host.check({
          name: `build ${n}`,
          of: "issue-1",
          conclusion: n === 7 ? "failure" : "success",
        });
    },
    tells: Array.from({ length: 20 }, () => "check_run completed by -"),
  },
];
