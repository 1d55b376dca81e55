import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { formatPortableRecord, parsePortableRecord } from "../../src/work-item/portable-record.ts";
import {
  emptyItemState,
  idleControl,
  type ItemState,
  type Session,
} from "../../src/work-item/records.ts";
import { toRefText } from "../../src/ref/ref.ts";
import { change } from "../event/payloads.ts";

const ref = toRefText("host:octo/repo#7");
const pull = toRefText("host:octo/repo#9");
if (ref === null || pull === null) throw new Error("no ref");

const session: Session = {
  endpoint: ref,
  workItem: ref,
  harness: "A",
  harnessSessionId: "s",
  status: "active",
  runner: "headless",
  workdir: "/home/somebody/checkout",
  begun: true,
  createdAt: 1,
};
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
    control: {
      ...idleControl,
      status: "started",
      instance: "desk",
      requestedBy: "alice",
      source: "comment",
      deliveryId: "d-1",
      at: 1_700_000_000_000,
      since: { at: 1_700_000_001_000, clock: "machine" },
    },
    closeDeferred: false,
    spend: { turns: 3, usd: 0.25, minutes: 4.5 },
    hostUpdatedAt: "2019-05-15T15:20:18Z",
    revoked: [
      { login: "dave", at: 1_700_000_002_000, clock: "machine" },
      { login: null, at: 1_700_000_001_000, clock: "host" },
    ],
  },
  sessions: [session],
  pullRequests: [
    {
      pullRequest: pull,
      headSha: null,
      headBranch: "issue-7",
      open: true,
      at: 2,
      updatedAt: "2019-05-15T15:20:18Z",
    },
  ],
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
    expect(sinceOf({ at: "noon", clock: "sundial" })).toEqual([
      "workItem.control.since.at",
      "workItem.control.since.clock",
    ]);
  });

  it("R19: brings along which grants ended and when; an older record does without", () => {
    const read = (revoked: unknown): unknown => {
      const parsed = parsePortableRecord(change(written(), { "workItem.revoked": revoked }));
      return parsed.ok ? parsed.item.workItem?.revoked : parsed.problems.map(({ path }) => path);
    };
    expect(read(undefined)).toBeUndefined();
    expect(read([{ login: "Dave", at: 5, clock: "host" }])).toEqual([
      { login: "dave", at: 5, clock: "host" },
    ]);
    expect(read([{ login: 3, at: -1, clock: "host" }])).toEqual([
      "workItem.revoked[0].login",
      "workItem.revoked[0].at",
    ]);
    expect(read("everybody")).toEqual(["workItem.revoked"]);
  });

  it("brings along the text of the last start; an older record does without", () => {
    const read = (startText: unknown): unknown => {
      const parsed = parsePortableRecord(change(written(), { "workItem.startText": startText }));
      return parsed.ok ? parsed.item.workItem?.startText : parsed.problems.map(({ path }) => path);
    };
    const dave = { login: "dave", id: null, bot: false };
    const text = {
      title: "A",
      body: "B",
      author: dave,
      editors: [{ what: "title", by: null }],
      at: null,
    };
    expect(read(text)).toEqual(text);
    const dated = { ...text, author: null, editors: "unknown", at: "x", asOf: "y" };
    expect(read(dated)).toEqual(dated);
    expect(read(null)).toBeNull();
    expect(read(undefined)).toBeUndefined();
    const wrong = {
      title: 1,
      body: "B",
      author: { login: "dave", id: null },
      editors: [{ what: "comment", by: null }],
      at: 4,
    };
    expect(read(wrong)).toEqual(
      ["title", "author.bot", "editors[0].what", "at"].map((path) => `workItem.startText.${path}`),
    );
    expect(read("B")).toEqual(["workItem.startText"]);
  });

  it("brings along that the item was closed again, and says so of nothing else", () => {
    const read = (closedAgain: unknown): unknown => {
      const parsed = parsePortableRecord(
        change(written(), { "workItem.closedAgain": closedAgain }),
      );
      return parsed.ok
        ? parsed.item.workItem?.closedAgain
        : parsed.problems.map(({ path, message }) => `${path}: ${message}`);
    };
    expect(read(true)).toBe(true);
    expect(read(false)).toBeUndefined();
    expect(read(undefined)).toBeUndefined();
    expect(read("yes")).toEqual(["workItem.closedAgain: must be true or false"]);
  });

  it("is written also where it would not be read again, without what was said elsewhere", () => {
    const signals = [
      { kind: "waived", node: "review", how: "skipped", by: "operator", at: 1 },
    ] as const;
    const spoilt = {
      ...item,
      workItem:
        item.workItem === null
          ? null
          : {
              ...item.workItem,
              spend: { turns: 1, usd: -1, minutes: 0 },
              graph: { graph: "work-item", node: "review", signals, announced: null, waits: null },
            },
    };
    expect(formatPortableRecord(spoilt)?.workItem).toMatchObject({
      spend: { usd: -1 },
      graph: { node: "review", signals: [] },
    });
    expect(
      formatPortableRecord({
        ...spoilt,
        workItem:
          item.workItem === null
            ? null
            : { ...item.workItem, spend: { turns: 1, usd: -1, minutes: 0 } },
      })?.workItem,
    ).not.toHaveProperty("graph");
  });

  it("is nothing where nothing is known", () => {
    expect(formatPortableRecord(emptyItemState)).toBeNull();
  });

  it("brings refs into their one form", () => {
    const parsed = parsePortableRecord(change(written(), { "workItem.ref": "host:OCTO/Repo#7" }));
    expect(parsed.ok && parsed.item.workItem?.ref).toBe("host:octo/repo#7");
  });

  it("names everything that is wrong with it, at once", () => {
    expect(
      problems(
        change(written(), {
          version: 2,
          "workItem.ref": "octo/repo#7",
          "workItem.open": "yes",
          "workItem.control.status": "running",
          "workItem.spend.usd": -1,
          "workItem.title": undefined,
        }),
      ),
    ).toEqual([
      "version",
      "workItem.ref",
      "workItem.title",
      "workItem.open",
      "workItem.control.status",
      "workItem.spend.usd",
    ]);
    expect(
      problems(
        change(written(), { pullRequests: [{ pullRequest: "x" }], collaborators: "nobody" }),
      ),
    ).toEqual([
      "pullRequests[0].pullRequest",
      "pullRequests[0].headSha",
      "pullRequests[0].headBranch",
      "pullRequests[0].open",
      "pullRequests[0].at",
      "collaborators",
    ]);
  });

  it.each<readonly [path: string, value: unknown, problems: readonly string[]]>([
    ["version", 2, ["version: 1 is the only version that is understood"]],
    ["workItem", [], ["workItem: must be an object"]],
    [
      "workItem.ref",
      "octo/repo#7",
      [
        "workItem.ref: must be a ref: host:<owner>/<repo>#<number>, or host:<domain>/<owner>/<repo>#<number> on another host than the default one",
      ],
    ],
    [
      "workItem.ref",
      ["host:octo/repo#7"],
      [
        "workItem.ref: must be a ref: host:<owner>/<repo>#<number>, or host:<domain>/<owner>/<repo>#<number> on another host than the default one",
      ],
    ],
    ["workItem.hostId", 7, ["workItem.hostId: must be a text or null"]],
    ["workItem.type", "discussion", ["workItem.type: must be one of issue, pull-request"]],
    ["workItem.title", null, ["workItem.title: must be a text"]],
    ["workItem.title", ["x"], ["workItem.title: must be a text"]],
    ["workItem.open", "yes", ["workItem.open: must be true or false"]],
    ["workItem.labels", "bug", ["workItem.labels: must be a list"]],
    ["workItem.labels", ["bug", 7], ["workItem.labels[1]: must be a text"]],
    [
      "workItem.control.status",
      "running",
      ["workItem.control.status: must be one of idle, started, paused, stopped, closed"],
    ],
    [
      "workItem.control.source",
      "mail",
      ["workItem.control.source: must be one of comment, activity, cli, api"],
    ],
    [
      "workItem.control.source",
      undefined,
      ["workItem.control.source: must be one of comment, activity, cli, api"],
    ],
    ["workItem.control.at", "noon", ["workItem.control.at: must be a number from 0"]],
    [
      "workItem.control.before",
      "running",
      ["workItem.control.before: must be one of idle, started, paused, stopped, closed"],
    ],
    [
      "workItem.control.beforePause",
      null,
      ["workItem.control.beforePause: must be one of idle, started, paused, stopped, closed"],
    ],
    ["workItem.control.since", 5, ["workItem.control.since: must be an object"]],
    [
      "workItem.control.since",
      { at: 5, clock: "sundial" },
      ["workItem.control.since.clock: must be one of host, machine"],
    ],
    ["workItem.spend.usd", -0.01, ["workItem.spend.usd: must be a number from 0"]],
    ["workItem.spend.usd", Number.NaN, ["workItem.spend.usd: must be a number from 0"]],
    [
      "workItem.spend.usd",
      Number.POSITIVE_INFINITY,
      ["workItem.spend.usd: must be a number from 0"],
    ],
    ["workItem.spend.usd", ["1"], ["workItem.spend.usd: must be a number from 0"]],
    ["workItem.graph", "work-item", ["workItem.graph: must be an object"]],
    [
      "workItem.graph",
      {},
      ["workItem.graph.graph: must be a text", "workItem.graph.node: must be a text"],
    ],
    [
      "pullRequests",
      [{ pullRequest: "host:a/b#1", headSha: 1, headBranch: 2, open: 3, at: "4", updatedAt: 5 }],
      [
        "pullRequests[0].headSha: must be a text or null",
        "pullRequests[0].headBranch: must be a text or null",
        "pullRequests[0].open: must be true or false",
        "pullRequests[0].at: must be a number from 0",
        "pullRequests[0].updatedAt: must be a text",
      ],
    ],
    [
      "collaborators",
      [{}],
      [
        "collaborators[0].login: must be a text",
        "collaborators[0].id: must be a text or null",
        "collaborators[0].grantedBy: must be a text",
        "collaborators[0].at: must be a number from 0",
      ],
    ],
    [
      "collaborators",
      [7, {}],
      [
        "collaborators[0]: must be an object",
        ...[
          "login: must be a text",
          "id: must be a text or null",
          "grantedBy: must be a text",
          "at: must be a number from 0",
        ].map((each) => `collaborators[1].${each}`),
      ],
    ],
  ])("says what belongs at %s in place of %j", (path, value, expected) => {
    const parsed = parsePortableRecord(change(written(), { [path]: value }));
    expect(parsed.ok ? [] : parsed.problems.map((each) => `${each.path}: ${each.message}`)).toEqual(
      expected,
    );
  });

  it.each<readonly [path: string, value: unknown]>([
    ["workItem.spend", { turns: 0, usd: 0, minutes: 0 }],
    ["workItem.control", { ...idleControl }],
    ["workItem.control.before", "started"],
    ["workItem.control.beforePause", "started"],
    ["workItem.control.source", null],
    ["workItem.control.at", 0],
    ["workItem.type", "pull-request"],
  ])("takes %s as it is: %j", (path, value) => {
    const parsed = parsePortableRecord(change(written(), { [path]: value }));
    const inner = path
      .split(".")
      .slice(1)
      .reduce<unknown>(
        (each, key) =>
          typeof each === "object" && each !== null ? Reflect.get(each, key) : undefined,
        parsed.ok ? parsed.item.workItem : null,
      );
    expect(inner).toEqual(value);
  });

  it("brings along the node that the work is at, and nothing of what was said about it elsewhere", () => {
    const graph = {
      graph: "work-item",
      node: "review",
      signals: [{ kind: "waived", node: "review", how: "skipped", by: "operator", at: 1 }],
      announced: { node: "review", subject: "s", at: 1 },
      waits: null,
    } as const;
    const known = {
      ...item,
      workItem: item.workItem === null ? null : { ...item.workItem, graph },
    };
    const plain = { graph: "work-item", node: "review", signals: [], announced: null, waits: null };
    const formatted = formatPortableRecord(known);
    expect(formatted?.workItem.graph).toEqual(plain);
    const parsed = parsePortableRecord(JSON.parse(JSON.stringify(formatted)));
    expect(parsed.ok && parsed.item.workItem?.graph).toEqual(plain);
    expect(formatPortableRecord(item)?.workItem).not.toHaveProperty("graph");
  });

  it("names only the whole where the whole is wrong", () => {
    expect(problems(null)).toEqual([""]);
    expect(problems([])).toEqual([""]);
    expect(problems(change(written(), { workItem: 3 }))).toEqual(["workItem"]);
    expect(problems(change(written(), { "workItem.control": null }))).toEqual(["workItem.control"]);
  });

  it("never throws, whatever a file holds", () => {
    fc.assert(
      fc.property(
        fc.jsonValue(),
        fc.constantFrom(
          "workItem",
          "workItem.ref",
          "workItem.control",
          "workItem.labels",
          "pullRequests",
          "collaborators",
          "version",
        ),
        (value, path) => {
          expect(typeof parsePortableRecord(value).ok).toBe("boolean");
          expect(typeof parsePortableRecord(change(written(), { [path]: value })).ok).toBe(
            "boolean",
          );
        },
      ),
      { numRuns: 1000 },
    );
  });
});
