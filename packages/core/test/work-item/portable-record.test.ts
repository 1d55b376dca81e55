import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { formatPortableRecord, parsePortableRecord } from "../../src/work-item/portable-record.ts";
import { emptyItemState, idleControl, type ItemState, type Session } from "../../src/work-item/records.ts";
import { toRefText } from "../../src/work-item/ref.ts";
import { change } from "../normalise/payloads.ts";

const ref = toRefText("host:octo/repo#7");
const pull = toRefText("host:octo/repo#9");
if (ref === null || pull === null) throw new Error("no ref");

const session: Session = { endpoint: ref, workItem: ref, harness: "A", harnessSessionId: "s", status: "active", runner: "headless", workdir: "/home/somebody/checkout", begun: true, createdAt: 1 };
const item: ItemState = {
  ...emptyItemState,
  workItem: {
    ref,
    hostId: "444500041",
    repositoryId: "186853002",
    type: "issue",
    title: "Spelling: \u2028 'error'\n# in the README",
    url: "https://github.com/octo/repo/issues/7",
    cloneUrl: null,
    defaultBranch: "main",
    open: true,
    armed: true,
    labels: ["loop: auto-execute"],
    control: { ...idleControl, status: "started", instance: "desk", requestedBy: "alice", source: "comment", deliveryId: "d-1", at: 1_700_000_000_000, since: { at: 1_700_000_001_000, clock: "machine" } },
    closeDeferred: false,
    spend: { turns: 3, usd: 0.25, minutes: 4.5 },
    hostUpdatedAt: "2019-05-15T15:20:18Z",
    revoked: [
      { login: "dave", at: 1_700_000_002_000, clock: "machine" },
      { login: null, at: 1_700_000_001_000, clock: "host" },
    ],
  },
  sessions: [session],
  pullRequests: [{ pullRequest: pull, headSha: null, headBranch: "issue-7", open: true, at: 2, updatedAt: "2019-05-15T15:20:18Z" }],
  collaborators: [{ login: "bob", id: "12", grantedBy: "alice", at: 3 }],
  lanes: [{ endpoint: ref, hold: null }],
};

/** What a file gives back. */
function written(): Record<string, unknown> {
  const read: unknown = JSON.parse(JSON.stringify(formatPortableRecord(item)));
  return typeof read === "object" && read !== null ? { ...read } : {};
}

function problems(value: unknown): readonly string[] {
  const parsed = parsePortableRecord(value);
  return parsed.ok ? [] : parsed.problems.map((each) => each.path);
}

describe("the portable record", () => {
  it("comes back as it was, without what belongs to one machine", () => {
    const parsed = parsePortableRecord(written());
    expect(parsed).toEqual({ ok: true, item: { ...item, sessions: [], lanes: [] } });
    expect(JSON.stringify(written())).not.toContain("checkout");
  });

  it("R19: brings along from when on a start counts, also that nothing is a measure; an older record does without", () => {
    const sinceOf = (since: unknown): unknown => {
      const parsed = parsePortableRecord(change(written(), { "workItem.control.since": since }));
      return parsed.ok ? parsed.item.workItem?.control : parsed.problems.map(({ path }) => path);
    };
    expect(sinceOf({ at: 5, clock: "host" })).toMatchObject({ since: { at: 5, clock: "host" } });
    expect(sinceOf(null)).toMatchObject({ since: null });
    expect(sinceOf(undefined)).not.toHaveProperty("since");
    expect(sinceOf({ at: "noon", clock: "sundial" })).toEqual(["workItem.control.since.at", "workItem.control.since.clock"]);
  });

  it("R19: brings along which grants ended and when; an older record does without", () => {
    const read = (revoked: unknown): unknown => {
      const parsed = parsePortableRecord(change(written(), { "workItem.revoked": revoked }));
      return parsed.ok ? parsed.item.workItem?.revoked : parsed.problems.map(({ path }) => path);
    };
    expect(read(undefined)).toBeUndefined();
    expect(read([{ login: "Dave", at: 5, clock: "host" }])).toEqual([{ login: "dave", at: 5, clock: "host" }]);
    expect(read([{ login: 3, at: -1, clock: "host" }])).toEqual(["workItem.revoked[0].login", "workItem.revoked[0].at"]);
    expect(read("everybody")).toEqual(["workItem.revoked"]);
  });

  it("is nothing where nothing is known", () => {
    expect(formatPortableRecord(emptyItemState)).toBeNull();
  });

  it("brings refs into their one form", () => {
    const parsed = parsePortableRecord(change(written(), { "workItem.ref": "host:OCTO/Repo#7" }));
    expect(parsed.ok && parsed.item.workItem?.ref).toBe("host:octo/repo#7");
  });

  it("names everything that is wrong with it, at once", () => {
    expect(problems(change(written(), { version: 2, "workItem.ref": "octo/repo#7", "workItem.open": "yes", "workItem.control.status": "running", "workItem.spend.usd": -1, "workItem.title": undefined }))).toEqual(["version", "workItem.ref", "workItem.title", "workItem.open", "workItem.control.status", "workItem.spend.usd"]);
    expect(problems(change(written(), { pullRequests: [{ pullRequest: "x" }], collaborators: "nobody" }))).toEqual(["pullRequests[0].pullRequest", "pullRequests[0].headSha", "pullRequests[0].headBranch", "pullRequests[0].open", "pullRequests[0].at", "collaborators"]);
  });

  it("names only the whole where the whole is wrong", () => {
    expect(problems(null)).toEqual([""]);
    expect(problems([])).toEqual([""]);
    expect(problems(change(written(), { workItem: 3 }))).toEqual(["workItem"]);
    expect(problems(change(written(), { "workItem.control": null }))).toEqual(["workItem.control"]);
  });

  it("never throws, whatever a file holds", () => {
    fc.assert(fc.property(fc.jsonValue(), fc.constantFrom("workItem", "workItem.ref", "workItem.control", "workItem.labels", "pullRequests", "collaborators", "version"), (value, path) => {
      expect(typeof parsePortableRecord(value).ok).toBe("boolean");
      expect(typeof parsePortableRecord(change(written(), { [path]: value })).ok).toBe("boolean");
    }), { numRuns: 1000 });
  });
});
