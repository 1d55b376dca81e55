import { describe, expect, it } from "vitest";
import type { Recorded } from "../../src/decide/effect.ts";
import { evolve, initialItemState } from "../../src/decide/evolve.ts";
import { stillDue } from "../../src/decide/still-due.ts";
import {
  activityEvent,
  carol,
  closedEvent,
  commentEvent,
  issueOf,
  pullRequestOf,
} from "../../src/testing/build-event.ts";
import {
  issueRef,
  itemOf,
  laneOf,
  linkOf,
  pullRef,
  sessionOf,
} from "../../src/testing/build-state.ts";
import { given } from "../../src/testing/given.ts";
import type { Hold, HoldReason, ItemState } from "../../src/work-item/records.ts";
import { formatRef } from "../../src/ref/ref.ts";

const hold = (reason: HoldReason, until: number | null = null): Hold => ({
  reason,
  until,
  detail: reason,
});
const opened: Recorded = {
  kind: "session-opened",
  endpoint: issueRef,
  harness: "B",
  harnessSessionId: "chat-1",
  workdir: "/w",
  runner: "headless",
  at: 5,
};
const heldWith = (reason: HoldReason): ItemState =>
  itemOf("started", { sessions: [sessionOf()], lanes: [laneOf(issueRef, hold(reason))] });
const reasonOf = (item: ItemState, lane = 0): string | null =>
  item.lanes[lane]?.hold?.reason ?? null;

describe("sessions", () => {
  it("open, begin, get lost, close", () => {
    const open = evolve(itemOf("started"), opened);
    expect(open.sessions).toEqual([
      {
        endpoint: "host:octo/shop#7",
        workItem: "host:octo/shop#7",
        harness: "B",
        harnessSessionId: "chat-1",
        status: "active",
        runner: "headless",
        workdir: "/w",
        begun: false,
        createdAt: 5,
      },
    ]);
    const begun = evolve(open, { kind: "session-begun", endpoint: issueRef });
    expect(begun.sessions[0]?.begun).toBe(true);
    expect(evolve(begun, { kind: "session-lost", endpoint: issueRef }).sessions[0]?.status).toBe(
      "lost",
    );
    expect(evolve(begun, { kind: "session-closed", endpoint: issueRef }).sessions[0]?.status).toBe(
      "closed",
    );
  });

  it("one that ran in the sandbox stays on record as such, also for the conversation after it", () => {
    const ran = evolve(evolve(itemOf("started"), opened), {
      kind: "session-sandboxed",
      endpoint: issueRef,
    });
    expect(ran.sessions[0]?.sandboxed).toBe(true);
    expect(evolve(ran, { kind: "session-sandboxed", endpoint: issueRef })).toBe(ran);
    const lost = evolve(ran, { kind: "session-lost", endpoint: issueRef });
    expect(evolve(lost, { ...opened, harnessSessionId: "chat-2" }).sessions).toMatchObject([
      { harnessSessionId: "chat-2", sandboxed: true },
    ]);
  });

  it("a new one takes the place of the endpoint's earlier one", () => {
    const item = itemOf("started", {
      sessions: [sessionOf({ status: "lost" }), sessionOf({ endpoint: formatRef(pullRef) })],
    });
    const after = evolve(item, opened);
    expect(after.sessions.map((session) => [session.endpoint, session.harnessSessionId])).toEqual([
      ["host:octo/shop#7", "chat-1"],
      ["host:octo/shop#12", item.sessions[1]?.harnessSessionId],
    ]);
    expect(after.sessions[1]).toBe(item.sessions[1]);
  });

  it("registered on an item of which nothing is known, it makes a record that nobody started", () => {
    const after = evolve(initialItemState, opened);
    expect([after.workItem?.ref, after.workItem?.control.status, after.workItem?.armed]).toEqual([
      "host:octo/shop#7",
      "idle",
      false,
    ]);
  });
});

describe("control verbs that were taken", () => {
  const steeredBy = (text: string): string | null =>
    given({
      item: itemOf("started", { sessions: [sessionOf()], lanes: [laneOf(issueRef, null)] }),
    }).when(commentEvent(text)).after.workItem?.steered ?? null;

  it.each([
    "loop pause",
    "loop stop",
    "loop cleanup",
    "loop add-collaborator @dave",
    "loop resume",
  ])("%s stands between what came before it and what comes after", (text) => {
    expect(steeredBy(text)).toBe(commentEvent(text).deliveryId);
  });

  it("a start that is taken does, too", () => {
    expect(
      given({ item: itemOf("idle") }).when(commentEvent("loop start")).after.workItem?.steered,
    ).toBe(commentEvent("loop start").deliveryId);
  });

  it.each(["hello", "loop start", "loop pause loop stop"])(
    "%s, which is none or is refused here, does not",
    (text) => {
      expect(steeredBy(text)).toBeNull();
    },
  );
});

describe("lanes", () => {
  it.each<[HoldReason, HoldReason, HoldReason]>([
    ["backoff", "usage-limit", "usage-limit"],
    ["paused", "backoff", "paused"],
    ["paused", "uncertain", "uncertain"],
    ["uncertain", "backoff", "uncertain"],
    ["ending", "uncertain", "ending"],
    ["releasing", "paused", "releasing"],
  ])("held for %s, then for %s: %s", (first, second, stands) => {
    expect(
      reasonOf(
        evolve(heldWith(first), { kind: "lane-held", endpoint: issueRef, hold: hold(second, 9) }),
      ),
    ).toBe(stands);
  });

  it.each<[HoldReason, number | null, "before" | "after", HoldReason | null]>([
    ["login", null, "after", "login"],
    ["login", null, "before", null],
    ["not-installed", null, "before", null],
    ["usage-limit", 9, "before", "usage-limit"],
    ["failed", null, "before", "failed"],
    ["uncertain", null, "before", "uncertain"],
  ])("%s until %s, looked for %s a resume: %s", (reason, until, looked, stands) => {
    const { after } = given({ item: itemOf("started", { lanes: [laneOf(issueRef, null)] }) }).when(
      commentEvent("loop resume"),
    );
    const foundUnder = looked === "before" ? null : (after.workItem?.steered ?? "no record");
    expect(
      reasonOf(
        evolve(after, {
          kind: "lane-held",
          endpoint: issueRef,
          hold: hold(reason, until),
          foundUnder,
        }),
      ),
    ).toBe(stands);
  });

  it("a lane that nobody knows is held all the same", () => {
    expect(
      reasonOf(
        evolve(itemOf("idle"), { kind: "lane-held", endpoint: pullRef, hold: hold("failed") }),
      ),
    ).toBe("failed");
  });

  it.each<[HoldReason, string | null]>([
    ["uncertain", null],
    ["budget", null],
    ["paused", "paused"],
    ["ending", "ending"],
    ["releasing", "releasing"],
  ])("opened where it was held for %s: %s", (reason, stands) => {
    expect(reasonOf(evolve(heldWith(reason), { kind: "lane-opened", endpoint: issueRef }))).toBe(
      stands,
    );
  });

  it("opened while the item is paused, it waits for the resume", () => {
    const item = itemOf("paused", { lanes: [laneOf(issueRef, hold("uncertain"))] });
    expect(reasonOf(evolve(item, { kind: "lane-opened", endpoint: issueRef }))).toBe("paused");
  });

  it("S05: after a stop the lane waits for the session's end, after a cleanup for the release", () => {
    const item = itemOf("started", { sessions: [sessionOf()] });
    const stopped = given({ item }).when(commentEvent("loop stop")).after;
    expect(
      reasonOf(evolve(stopped, { kind: "released", workItem: issueRef, salvage: null, at: 1 })),
    ).toBe("ending");
    expect(reasonOf(evolve(stopped, { kind: "session-closed", endpoint: issueRef }))).toBeNull();
    const cleaned = given({ item }).when(commentEvent("loop cleanup")).after;
    const closed = evolve(cleaned, { kind: "session-closed", endpoint: issueRef });
    expect(reasonOf(closed)).toBe("releasing");
    const released = evolve(closed, { kind: "released", workItem: issueRef, salvage: null, at: 1 });
    expect([reasonOf(released), released.sessions, released.workItem]).toEqual([
      null,
      [],
      cleaned.workItem,
    ]);
  });

  it("a pause that came meanwhile outlasts the release", () => {
    const cleaned = given({ item: itemOf("started", { sessions: [sessionOf()] }) }).after(
      commentEvent("loop cleanup"),
      commentEvent("loop pause"),
    );
    expect(reasonOf(cleaned.state.item)).toBe("releasing");
    expect(
      reasonOf(
        evolve(cleaned.state.item, { kind: "released", workItem: issueRef, salvage: null, at: 1 }),
      ),
    ).toBe("paused");
  });
});

describe("an end that was decided earlier", () => {
  const release = { kind: "release", workItem: issueRef, why: "closed" } as const;
  const end = { kind: "end-session", endpoint: issueRef, why: "closed", graceMs: 600_000 } as const;
  const closed = given({ item: itemOf("started", { sessions: [sessionOf()] }) }).after(
    closedEvent(),
  );

  it("is due until it is done", () => {
    const { item } = closed.state;
    expect([stillDue(end, item), stillDue(release, item)]).toEqual([true, false]);
    const ended = evolve(item, { kind: "session-closed", endpoint: issueRef });
    expect([stillDue(end, ended), stillDue(release, ended)]).toEqual([true, true]);
    const released = evolve(ended, { kind: "released", workItem: issueRef, salvage: null, at: 1 });
    expect([stillDue(end, released), stillDue(release, released)]).toEqual([false, false]);
  });

  it("S07: is called off by an authorized reopening", () => {
    const { item } = closed.after(
      activityEvent({ action: "reopened", item: issueOf({ updatedAt: "2026-03-01T12:05:00Z" }) }),
    ).state;
    expect([stillDue(end, item), stillDue(release, item)]).toEqual([false, false]);
  });

  it("is due also on an item without session or lane", () => {
    const { after } = given({ item: itemOf("started", { lanes: [] }) }).when(closedEvent());
    expect(stillDue(release, after)).toBe(true);
  });

  it("S07: a release that was called off is not carried out for a clean-up that came since", () => {
    const again = closed.after(
      activityEvent({ action: "reopened", item: issueOf({ updatedAt: "2026-03-01T12:05:00Z" }) }),
      commentEvent("loop cleanup", { item: issueOf({ updatedAt: "2026-03-01T12:06:00Z" }) }),
    ).state.item;
    expect([stillDue(end, again), stillDue(release, again)]).toEqual([true, false]);
    expect(stillDue(release, evolve(again, { kind: "session-closed", endpoint: issueRef }))).toBe(
      true,
    );
  });

  it("a pull request's own end leaves the others alone", () => {
    const item = itemOf("started", {
      sessions: [sessionOf()],
      lanes: [laneOf(issueRef), laneOf(pullRef, hold("ending"))],
    });
    expect([
      stillDue(end, item),
      stillDue({ ...end, endpoint: pullRef }, item),
      stillDue(release, item),
    ]).toEqual([false, true, false]);
  });
});

describe("links, spend, posts", () => {
  const link: Recorded = {
    kind: "pull-request-linked",
    workItem: issueRef,
    pullRequest: pullRef,
    headSha: "b".repeat(40),
    headBranch: null,
    at: 7,
  };

  it("a link of an item of which nothing was known makes a record of the item, not of the pull request", () => {
    expect(evolve(initialItemState, link).workItem?.ref).toBe("host:octo/shop#7");
  });

  it("records a pull request once", () => {
    const once = evolve(itemOf("started"), link);
    expect(once.pullRequests).toEqual([
      {
        pullRequest: "host:octo/shop#12",
        headSha: "b".repeat(40),
        headBranch: null,
        open: true,
        at: 7,
      },
    ]);
    expect(evolve(once, { ...link, at: 9 })).toBe(once);
    expect(
      evolve(once, { ...link, headSha: null, headBranch: "issue-7" }).pullRequests[0],
    ).toMatchObject({ headSha: "b".repeat(40), headBranch: "issue-7", at: 7 });
  });

  it.each([
    [true, "issue-7-more"],
    [false, null],
  ])(
    "remembers a head only where it can be checked out (same repository: %s)",
    (sameRepository, headBranch) => {
      const item = itemOf("started", {
        sessions: [sessionOf()],
        pullRequests: [linkOf({ headBranch: "issue-7" })],
      });
      const branches = {
        head: "issue-7-more",
        headSha: "c".repeat(40),
        headRepository: "any/shop",
        base: "main",
        sameRepository,
      };
      const event = activityEvent({ action: "synchronize", item: pullRequestOf({ branches }) });
      const { after } = given({
        item,
        target: { workItem: issueRef, endpoint: issueRef, provenance: "recorded-link" },
      }).when(event);
      expect(after.pullRequests[0]).toMatchObject({ headSha: "c".repeat(40), headBranch });
    },
  );

  it("adds up what turns cost, and nothing impossible", () => {
    const turn: Recorded = {
      kind: "turn-ended",
      endpoint: issueRef,
      outcome: "done",
      usd: 0.25,
      minutes: 2,
      at: 1,
    };
    const twice = evolve(evolve(itemOf("started"), turn), {
      ...turn,
      usd: Number.NaN,
      minutes: -1,
    });
    expect(twice.workItem?.spend).toEqual({ turns: 2, usd: 0.25, minutes: 2 });
  });

  it("keeps the very object where nothing changes", () => {
    const item = itemOf("started", { sessions: [sessionOf()], pullRequests: [linkOf()] });
    const nothing: readonly Recorded[] = [
      { kind: "nothing", why: "" },
      { kind: "posted", commentId: "1" },
      { kind: "session-begun", endpoint: issueRef },
      { kind: "session-lost", endpoint: pullRef },
      { kind: "session-closed", endpoint: pullRef },
      { kind: "lane-opened", endpoint: issueRef },
      { kind: "released", workItem: issueRef, salvage: null, at: 1 },
      {
        kind: "pull-request-linked",
        workItem: issueRef,
        pullRequest: pullRef,
        headSha: null,
        headBranch: null,
        at: 9,
      },
    ];
    for (const recorded of nothing) expect(evolve(item, recorded)).toBe(item);
  });

  it("keeps every part that an event does not concern", () => {
    const item = itemOf("started", {
      sessions: [sessionOf()],
      pullRequests: [linkOf()],
      collaborators: [{ login: "carol", id: null, grantedBy: "alice", at: 0 }],
    });
    const { after } = given({ item }).when(commentEvent("hello", { by: carol }));
    expect(after).toBe(item);
  });
});
