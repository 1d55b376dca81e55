import { createPoll, type PollReport } from "@loopwork/codehost/poller";
import { type InboundEvent, normalise } from "@loopwork/core";
import {
  emptyItemState,
  formatRef,
  type ItemState,
  sameAccount,
  type Store,
  type StoredDelivery,
} from "@loopwork/core/ports";
import { openStore } from "@loopwork/store";
import { expect, onTestFinished, test } from "vitest";
import { createPracticeHost, type PracticeHost } from "../src/index.ts";

/**
 * The poller of the product against the practice host, into a real store; the host's clock moves a
 * second at each step.
 */
type Scene = {
  readonly host: PracticeHost;
  readonly store: Store;
  readonly poll: () => Promise<PollReport>;
  /** Moves the host's clock on, in seconds. */
  readonly pass: (seconds?: number) => void;
  readonly stored: () => Promise<readonly StoredDelivery[]>;
  /** Each delivery in one line: what happened to which number, by whom. */
  readonly told: () => Promise<readonly string[]>;
  readonly events: () => Promise<readonly InboundEvent[]>;
  readonly records: ItemState[];
};

const label = "loop: auto-execute";

async function scene(
  options: { readonly repositories?: readonly string[]; readonly token?: string | null } = {},
): Promise<Scene> {
  let now = Date.now();
  const host = await createPracticeHost({
    users: [{ login: "ada", token: "t-ada" }],
    now: () => now,
  });
  onTestFinished(() => host.stop());
  const store = await openStore("memory:", { instance: "default", now: () => now });
  onTestFinished(() => store.close());
  const records: ItemState[] = [];
  const poll = createPoll(
    {
      host: "practice.invalid",
      apiBaseUrl: host.apiUrl,
      token: options.token === undefined ? "t-ada" : options.token,
    },
    {
      inbox: store,
      cursors: store.cursors,
      items: async () => records,
      settings: () => ({
        repositories: options.repositories ?? ["practice/garden"],
        autoExecuteLabel: label,
      }),
      now: () => now,
    },
  );
  const stored = () => store.log.list({ limit: 1000 });
  const events = async () =>
    (
      await Promise.all(
        (await stored()).map(async (each) => eventOf(each, await store.log.body(each.seq))),
      )
    ).flat();
  return {
    host,
    store,
    poll,
    pass: (seconds = 1) => void (now += seconds * 1000),
    stored,
    events,
    records,
    told: async () => (await events()).map(lineOf),
  };
}

function eventOf(
  delivery: Pick<StoredDelivery, "id" | "source" | "event">,
  body: Uint8Array | string | null,
): readonly InboundEvent[] {
  const text = typeof body === "string" ? body : new TextDecoder().decode(body ?? new Uint8Array());
  const understood = normalise(delivery, JSON.parse(text), { defaultHost: "practice.invalid" });
  if (!understood.ok) throw new Error(`${delivery.event} is not understood: ${understood.why}`);
  return [understood.event];
}

/** Events read their fields when they are asked for; as JSON they stand there whole. */
function plainOf(event: InboundEvent): Readonly<Record<string, unknown>> {
  const plain: Record<string, unknown> = JSON.parse(JSON.stringify(event));
  return plain;
}

const lineOf = (event: InboundEvent): string =>
  `${event.event} ${event.action}${"item" in event ? ` #${event.item.number}` : ""} by ${event.actor?.login ?? "-"}`;

/** An item on record, at work. */
function recorded(number: number, more: Partial<ItemState> = {}): ItemState {
  const ref = formatRef({ host: null, owner: "practice", repo: "garden", number });
  const control = {
    status: "started",
    instance: "default",
    requestedBy: "ada",
    source: "comment",
    deliveryId: null,
    at: null,
    before: null,
  } as const;
  const workItem = {
    ref,
    hostId: null,
    repositoryId: null,
    type: "issue",
    title: "",
    url: null,
    cloneUrl: null,
    defaultBranch: null,
    open: true,
    armed: true,
    labels: [],
    control,
    closeDeferred: false,
    spend: { turns: 0, usd: 0, minutes: 0 },
    hostUpdatedAt: null,
  } as const;
  return { ...emptyItemState, workItem, ...more };
}

test("a poll tells what webhooks tell: the same events, with the same keys", async () => {
  const { host, poll, pass, events, records } = await scene();
  await poll();
  const step = async (act: () => unknown): Promise<void> => {
    pass();
    await act();
  };
  await step(() => host.openIssue({ title: "Water", body: "please", by: "ben" }));
  await step(() => host.label(1, label, "ada"));
  await step(() => host.comment(1, "loop start", "ada"));
  await host.commit({ branch: "issue-1", message: "work", files: { "a.txt": "a\n" } });
  await step(() =>
    host.openPull({ title: "Water it", body: "Closes #1", head: "issue-1", by: "agent" }),
  );
  const pull = host.issues()[1];
  const sha = pull?.pull?.head.sha ?? "";
  await step(() => host.review(2, { state: "changes_requested", body: "more water", by: "ada" }));
  await step(() => host.commentOnLine(2, { body: "here", path: "a.txt", by: "ada" }));
  await step(() => host.check({ name: "build", of: sha, conclusion: "failure" }));
  await step(() => host.check({ name: "lint", of: sha, conclusion: "success", kind: "status" }));
  await step(() => host.unlabel(1, label, "ada"));
  await step(() => host.label(2, "later", "ben"));
  await step(() => host.editIssue(1, { title: "Water the garden" }, "ada"));
  await step(() => host.mergePull(2, "ada"));
  await step(() => host.closeIssue(1, "ada"));
  await step(() => host.reopenIssue(1, "ben"));
  await step(() => host.comment(1, "again", "ada"));
  const link = {
    pullRequest: formatRef({ host: null, owner: "practice", repo: "garden", number: 2 }),
    headSha: sha,
    headBranch: "issue-1",
    open: true,
    at: 0,
  };
  records.push(recorded(1, { pullRequests: [link] }));
  pass();
  await poll();

  const pushed = host
    .deliveries()
    .flatMap(({ id, event, body }) => eventOf({ id, source: "webhook", event }, body));
  // A list shows the title of now, and a check names the pull requests that are open now, with
  // their heads.
  const comparable = (event: InboundEvent): unknown => {
    const plain = plainOf(event);
    return {
      ...plain,
      deliveryId: "",
      source: "",
      ...("item" in plain
        ? { item: { ...Object(plain["item"]), title: "", listed: undefined } }
        : {}),
      ...("check" in plain
        ? {
            check: {
              ...Object(plain["check"]),
              pullRequests: [],
              pullRequestHead: null,
              pullRequestFork: null,
            },
          }
        : {}),
    };
  };
  expect((await events()).map(({ key }) => key)).toEqual(pushed.map(({ key }) => key));
  expect((await events()).map(comparable)).toEqual(pushed.map(comparable));
});

test("what was read is not read again, and an unchanged repository costs nothing at all", async () => {
  const { host, poll, pass, stored } = await scene();
  await poll();
  host.openIssue({ title: "Water", labels: [label], by: "ada" });
  host.comment(1, "loop start", "ada");
  pass();
  expect((await poll()).repositories).toMatchObject([{ stored: 3, failure: null }]);
  await poll();
  host.traffic.clear();
  expect((await poll()).repositories).toMatchObject([{ stored: 0, known: 0 }]);
  expect(host.traffic.calls().map(({ status }) => status)).toEqual([304, 304, 304, 304, 304, 304]);
  host.comment(1, "one more", "ada");
  pass();
  expect((await poll()).repositories).toMatchObject([{ stored: 1 }]);
  expect(await stored()).toHaveLength(4);
  expect(
    (await stored()).every(
      ({ id, source, verified }) =>
        /^poll-[0-9a-f]{64}$/.test(id) && source === "poll" && !verified,
    ),
  ).toBe(true);
});

test("first sight: what was said before the first poll counts on an armed open item and nowhere else", async () => {
  const { host, poll, pass, told } = await scene();
  host.openIssue({ title: "armed", by: "ada" });
  host.comment(1, "loop start", "ada");
  pass();
  host.label(1, label, "ben");
  host.openIssue({ title: "not armed", by: "ada" });
  host.comment(2, "loop start", "ada");
  host.openIssue({ title: "armed and closed", labels: [label], by: "ada" });
  host.comment(3, "loop start", "ada");
  host.closeIssue(3, "ada");
  pass(5);
  await poll();
  expect(await told()).toEqual(["issue_comment created #1 by ada", "issues labeled #1 by ben"]);
});

test("first sight: a comment older than seven days is not even read, what is on record counts whole", async () => {
  const { host, poll, pass, told, records } = await scene();
  host.openIssue({ title: "old", labels: [label], by: "ada" });
  host.comment(1, "loop start", "ada");
  host.openIssue({ title: "at work", by: "ada" });
  pass(8 * 24 * 3600);
  host.comment(1, "still here", "ada");
  host.closeIssue(2, "ada");
  records.push(recorded(2));
  pass(5);
  await poll();
  expect((await told()).toSorted()).toEqual([
    "issue_comment created #1 by ada",
    "issues closed #2 by ada",
  ]);
});

test("P04 an edit never comes as a new comment: the author's is an edit by the author, another person's is that person's", async () => {
  const { host, poll, pass, told } = await scene();
  host.openIssue({ title: "Water", labels: [label], by: "ada" });
  const [own, other] = [host.comment(1, "loop strat", "ada"), host.comment(1, "fine", "ada")];
  pass(5);
  host.editComment(own.id, "loop start", "ada");
  host.editComment(other.id, "loop start", "mallory");
  pass();
  await poll();
  expect((await told()).filter((line) => line.startsWith("issue_comment"))).toEqual([
    "issue_comment edited #1 by ada",
    "issue_comment edited #1 by mallory",
  ]);
});

test("a bot that edits its own comment is that bot, though the query language leaves out its suffix; a person of its name is somebody else", async () => {
  const { host, poll, pass, events } = await scene();
  await poll();
  pass();
  const { number } = host.openIssue({ title: "Water", labels: [label], by: "ada" });
  const [own, other] = [
    host.comment(number, "a report", "helper[bot]"),
    host.comment(number, "another", "helper[bot]"),
  ];
  pass();
  host.editComment(own.id, "a better report", "helper[bot]");
  host.editComment(other.id, "loop stop", "helper");
  pass();
  await poll();
  const edits = (await events()).flatMap((event) =>
    event.kind === "comment" ? [{ actor: event.actor, author: event.comment.author }] : [],
  );
  const [bot, person] = [own.author, host.comment(number, "hello", "helper").author];
  expect(JSON.parse(JSON.stringify(edits.map(({ actor }) => actor)))).toEqual([
    { login: "helper[bot]", id: String(bot.id), bot: true },
    { login: "helper", id: String(person.id), bot: false },
  ]);
  expect(
    edits.map(
      ({ actor, author }) => actor !== null && author !== null && sameAccount(actor, author),
    ),
  ).toEqual([true, false]);
});

test("P04 without a token nobody can be asked who edited, so it was nobody", async () => {
  const { host, poll, pass, told } = await scene({ token: null });
  host.openIssue({ title: "Water", labels: [label], by: "ada" });
  const said = host.comment(1, "fine", "ada");
  pass(5);
  host.editComment(said.id, "loop start", "ada");
  pass();
  await poll();
  expect((await told()).filter((line) => line.startsWith("issue_comment"))).toEqual([
    "issue_comment edited #1 by -",
  ]);
});

/**
 * A pull request that carries the label, and what polls told of reviews and comments on its diff.
 */
async function reviewing(
  options: { readonly token?: string | null } = {},
): Promise<Scene & { readonly heard: () => Promise<readonly string[]> }> {
  const all = await scene(options);
  await all.host.commit({ branch: "work", message: "work", files: { "a.txt": "a\n" } });
  await all.host.openPull({ title: "Water it", labels: [label], head: "work", by: "agent" });
  return {
    ...all,
    heard: async () => (await all.told()).filter((line) => line.startsWith("pull_request_review")),
  };
}

test("P04 a review that was edited commands nothing, whoever edited it: it is told as an edit by that person", async () => {
  const { host, poll, pass, heard, events } = await reviewing();
  const [own, other, untouched] = [
    host.review(1, { body: "loop strat", by: "ada" }),
    host.review(1, { body: "fine", by: "ada" }),
    host.review(1, { body: "loop start", by: "ada" }),
  ];
  pass(5);
  host.editReview(1, own.id, "loop start", "ada");
  host.editReview(1, other.id, "loop stop", "mallory");
  pass();
  await poll();
  expect((await heard()).toSorted()).toEqual([
    "pull_request_review edited #1 by ada",
    "pull_request_review edited #1 by mallory",
    "pull_request_review submitted #1 by ada",
  ]);
  const commanding = (await events()).flatMap((event) =>
    event.kind === "comment" && event.change === "created"
      ? [`${event.surface} ${event.comment.id}`]
      : [],
  );
  expect(commanding).toEqual([`review ${untouched.id}`]);
});

test("P04 a comment on a line that was edited commands nothing", async () => {
  const { host, poll, pass, heard } = await reviewing();
  const said = host.commentOnLine(1, { body: "fine", path: "a.txt", by: "ada" });
  pass(5);
  host.editComment(said.id, "loop start", "mallory");
  pass();
  await poll();
  expect(await heard()).toEqual(["pull_request_review_comment edited #1 by mallory"]);
});

test("P04 a review's words are nobody's edit while the host does not say; without words there is nothing to ask", async () => {
  const { host, poll, pass, heard } = await reviewing({ token: null });
  host.review(1, { body: "loop start", by: "ada" });
  host.review(1, { state: "approved", by: "ben" });
  pass();
  await poll();
  expect((await heard()).toSorted()).toEqual([
    "pull_request_review edited #1 by -",
    "pull_request_review submitted #1 by ben",
  ]);
});

test("P04 a review about which the host fails is told once it answers, and never before", async () => {
  const { host, poll, pass, heard } = await reviewing();
  host.review(1, { body: "loop start", by: "ada" });
  pass();
  host.traffic.break({ fits: (path) => path.includes("graphql"), status: 502 });
  expect((await poll()).repositories).toMatchObject([{ failure: { code: "LOOP_E_HOST_SERVER" } }]);
  expect(await heard()).toEqual([]);
  host.traffic.break(null);
  await poll();
  expect(await heard()).toEqual(["pull_request_review submitted #1 by ada"]);
});

test("only new reviews that say something are asked about", async () => {
  const { host, poll, pass } = await reviewing();
  host.review(1, { body: "more water", by: "ada" });
  host.review(1, { state: "approved", by: "ben" });
  pass();
  await poll();
  const asked = () => host.traffic.calls().filter(({ path }) => path.includes("graphql")).length;
  expect(asked()).toBe(1);
  pass(3600);
  host.label(1, "later", "ben");
  await poll();
  pass(3600);
  host.label(1, "soon", "ben");
  host.traffic.clear();
  await poll();
  expect(asked()).toBe(0);
});

test("more comments than pages hold, in the same second and over many", async () => {
  const { host, poll, pass, stored } = await scene();
  await poll();
  host.openIssue({ title: "Talk", by: "ada" });
  for (let n = 0; n < 260; n++) {
    if (n % 130 === 0) pass();
    host.comment(1, `comment ${n}`, "ada");
  }
  pass();
  await poll();
  expect(await stored()).toHaveLength(261);
});

test("a repository that fails, is gone or has its issues off never stops the others", async () => {
  const { host, poll, pass, stored } = await scene({
    repositories: ["practice/gone", "practice/broken", "practice/garden"],
  });
  const broken = await host.addRepository({ owner: "practice", repo: "broken" });
  await poll();
  host.openIssue({ title: "Water", by: "ada" });
  broken.openIssue({ title: "Mend", by: "ada" });
  broken.comment(1, "hello", "ada");
  pass();
  host.traffic.break({
    fits: (path) => path.startsWith("/repos/practice/broken/issues?"),
    status: 502,
  });
  const report = await poll();
  expect(
    Object.fromEntries(
      report.repositories.map(({ repository, stored: count, failure }) => [
        repository,
        [count, failure?.code ?? null],
      ]),
    ),
  ).toEqual({
    "practice/gone": [0, "LOOP_E_HOST_NOT_FOUND"],
    "practice/broken": [1, "LOOP_E_HOST_SERVER"],
    "practice/garden": [1, null],
  });
  host.traffic.break({
    fits: (path) => path.startsWith("/repos/practice/broken/issues?"),
    status: 410,
  });
  expect(
    (await poll()).repositories.find(({ repository }) => repository === "practice/broken"),
  ).toMatchObject({ failure: null, notes: ["listing issues: the host does not offer it here"] });
  host.traffic.break(null);
  await poll();
  expect(await stored()).toHaveLength(3);
});

test("one item that fails holds up neither the others nor its repository, and is read again until it answers", async () => {
  const { host, poll, pass, told } = await scene();
  await poll();
  await host.commit({ branch: "one", message: "work", files: { "a.txt": "a\n" } });
  await host.commit({ branch: "two", message: "work", files: { "b.txt": "b\n" } });
  pass();
  await host.openPull({ title: "One", head: "one", by: "agent" });
  await host.openPull({ title: "Two", head: "two", by: "agent" });
  host.review(1, { body: "one", by: "ada" });
  host.review(2, { body: "two", by: "ada" });
  pass();
  host.traffic.break({
    fits: (path) => path.startsWith("/repos/practice/garden/pulls/1/reviews"),
    status: 500,
  });
  expect((await poll()).repositories).toMatchObject([
    { failure: { code: "LOOP_E_HOST_SERVER" }, stored: 3 },
  ]);
  expect((await told()).filter((line) => line.startsWith("pull_request_review"))).toEqual([
    "pull_request_review submitted #2 by ada",
  ]);
  host.comment(1, "and on", "ada");
  pass();
  expect((await poll()).repositories).toMatchObject([
    { failure: { code: "LOOP_E_HOST_SERVER" }, stored: 1 },
  ]);
  host.traffic.break(null);
  expect((await poll()).repositories).toMatchObject([{ failure: null, stored: 1 }]);
  expect((await told()).at(-1)).toBe("pull_request_review submitted #1 by ada");
  await poll();
  host.traffic.clear();
  await poll();
  expect(host.traffic.calls().every(({ status }) => status === 304)).toBe(true);
});

test("who edited a text or pushed cannot be told without a token: then it was nobody", async () => {
  const { host, poll, pass, told, records } = await scene({ token: null });
  host.openIssue({ title: "Water", body: "daily", by: "ada" });
  records.push(recorded(1));
  await poll();
  pass();
  host.editIssue(1, { body: "never" }, "mallory");
  pass();
  await poll();
  expect((await told()).at(-1)).toBe("issues edited #1 by -");
  const { length } = await told();
  host.label(1, "later", "ben");
  pass();
  await poll();
  expect((await told()).slice(length)).toEqual(["issues labeled #1 by ben"]);
});

test("a host without lists of activity, suites, runs and reviews is polled all the same: a push is then nobody's", async () => {
  const { host, poll, pass, told, records } = await scene();
  const sha = await host.commit({
    branch: "issue-1",
    message: "work",
    files: { "a.txt": "a\n" },
    by: "ada",
  });
  host.openIssue({ title: "Water", by: "ada" });
  await host.openPull({ title: "Water it", head: "issue-1", by: "agent" });
  const link = {
    pullRequest: formatRef({ host: null, owner: "practice", repo: "garden", number: 2 }),
    headSha: sha,
    headBranch: "issue-1",
    open: true,
    at: 0,
  };
  records.push(recorded(1, { pullRequests: [link] }));
  await poll();
  const { length } = await told();
  for (const status of [404, 403]) {
    host.traffic.break({
      fits: (path) =>
        ["/activity", "/check-suites", "/actions/", "/check-runs", "/reviews"].some((part) =>
          path.includes(part),
        ),
      status,
    });
    pass();
    await host.commit({
      branch: "issue-1",
      message: `more ${status}`,
      files: { "a.txt": `${status}\n` },
      by: "ada",
    });
    pass();
    expect((await poll()).repositories).toMatchObject([{ failure: null }]);
  }
  expect((await told()).slice(length)).toEqual([
    "pull_request synchronize #2 by -",
    "pull_request synchronize #2 by -",
  ]);
});

test("the checks of a pull request that is a work item of its own are read, of its present head", async () => {
  const { host, poll, pass, told, records } = await scene();
  await poll();
  const first = await host.commit({ branch: "tidy", message: "tidy", files: { "a.txt": "a\n" } });
  pass();
  await host.openPull({ title: "Tidy", head: "tidy", by: "agent" });
  records.push(recorded(1));
  await host.check({ name: "build", of: first, conclusion: "failure" });
  await poll();
  expect((await told()).filter((line) => line.startsWith("check_run"))).toEqual([
    "check_run completed by -",
  ]);
  pass();
  const second = await host.commit({ branch: "tidy", message: "more", files: { "a.txt": "b\n" } });
  await host.check({ name: "lint", of: second, conclusion: "failure", kind: "status" });
  pass();
  await poll();
  expect((await told()).filter((line) => line.startsWith("status"))).toHaveLength(1);
});

test("more checks than a page holds", async () => {
  const { host, poll, pass, records, stored } = await scene();
  const sha = await host.commit({ branch: "issue-1", message: "work", files: { "a.txt": "a\n" } });
  host.openIssue({ title: "Water", by: "ada" });
  const link = {
    pullRequest: formatRef({ host: null, owner: "practice", repo: "garden", number: 2 }),
    headSha: sha,
    headBranch: "issue-1",
    open: true,
    at: 0,
  };
  records.push(recorded(1, { pullRequests: [link] }));
  await poll();
  const before = (await stored()).length;
  for (let n = 0; n < 110; n++)
    await host.check({ name: `build ${n}`, of: sha, conclusion: "success", kind: "status" });
  pass();
  await poll();
  expect((await stored()).length - before).toBe(110);
});

test("a repository that was renamed: what is on record under its former name is found, closed by who closed it", async () => {
  const { host, store, pass, told } = await scene();
  host.openIssue({ title: "at work", by: "ada" });
  host.rename("orchard");
  host.closeIssue(1, "ada");
  pass(9 * 24 * 3600);
  const poll = createPoll(
    { host: "practice.invalid", apiBaseUrl: host.apiUrl, token: "t-ada" },
    {
      inbox: store,
      cursors: store.cursors,
      items: async () => [recorded(1)],
      settings: () => ({ repositories: ["practice/orchard"], autoExecuteLabel: label }),
      now: Date.now,
      knownAs: ({ owner, repo }) => ({ owner, repo: repo === "orchard" ? "garden" : repo }),
    },
  );
  expect((await poll()).repositories).toMatchObject([{ failure: null }]);
  expect(await told()).toEqual(["issues closed #1 by ada"]);
});

test("closings that were never heard of are found by the complete list, with who closed them", async () => {
  const { host, poll, pass, told, records } = await scene();
  host.openIssue({ title: "at work", by: "ada" });
  host.openIssue({ title: "still open", by: "ada" });
  records.push(recorded(1), recorded(2), recorded(77));
  host.closeIssue(1, "ada");
  pass(9 * 24 * 3600);
  await poll();
  expect((await told()).toSorted()).toEqual(["issues closed #1 by ada", "issues deleted #77 by -"]);
});

test("a missing item that cannot be looked at holds up neither its repository nor the other closings, and is looked at again", async () => {
  const { host, poll, pass, told, records } = await scene();
  host.openIssue({ title: "closed, and out of reach", by: "ada" });
  host.openIssue({ title: "closed", by: "ada" });
  host.openIssue({ title: "at work", by: "ada" });
  records.push(recorded(1), recorded(2), recorded(3));
  host.closeIssue(1, "ada");
  host.closeIssue(2, "ada");
  pass(9 * 24 * 3600);
  host.comment(3, "go on", "ada");
  host.traffic.break({
    fits: (path) => path.startsWith("/repos/practice/garden/issues/1"),
    status: 451,
  });
  expect((await poll()).repositories).toMatchObject([
    { failure: { code: "LOOP_E_HOST_REFUSED" }, stored: 2 },
  ]);
  expect((await told()).toSorted()).toEqual([
    "issue_comment created #3 by ada",
    "issues closed #2 by ada",
  ]);
  host.traffic.break(null);
  pass(10 * 60);
  expect((await poll()).repositories).toMatchObject([{ failure: null }]);
  expect((await told()).at(-1)).toBe("issues closed #1 by ada");
});

test("a list of open items that is not complete closes nothing, and is read again", async () => {
  const { host, poll, pass, told, records } = await scene();
  for (let n = 0; n < 120; n++) host.openIssue({ title: `issue ${n}`, by: "ada" });
  host.closeIssue(110, "ada");
  records.push(recorded(105), recorded(110));
  pass(9 * 24 * 3600);
  host.traffic.break({
    fits: (path) => path.includes("state=open") && path.includes("page=2"),
    status: 500,
  });
  const report = await poll();
  expect(report.repositories[0]?.notes).toEqual([
    "the list of open items could not be read whole, so nothing was taken from it",
  ]);
  expect(await told()).toEqual([]);
  host.traffic.break(null);
  await poll();
  expect(await told()).toEqual(["issues closed #110 by ada"]);
});

test("polling rests before the host's limit is used up, and when it is", async () => {
  const { host, poll } = await scene({ repositories: ["practice/garden", "practice/other"] });
  await host.addRepository({ owner: "practice", repo: "other" });
  host.traffic.limit(6);
  const used = await poll();
  expect(used.restUntil).toBeGreaterThan(Date.now());
  expect(used.repositories.map(({ repository, failure }) => [repository, failure])).toEqual([
    ["practice/garden", null],
  ]);
  host.traffic.clear();
  expect((await poll()).repositories).toEqual([]);
  expect(host.traffic.calls()).toEqual([]);
});
