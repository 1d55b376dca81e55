import { createHostSetup } from "@loopwork/codehost";
import { type AuditReport, createGapAudit } from "@loopwork/codehost/poller";
import { openStore } from "@loopwork/store";
import type { Store } from "@loopwork/core/ports";
import { secretOf } from "@loopwork/core/testing";
import { expect, onTestFinished, test } from "vitest";
import { createPracticeHost, type PracticeHost } from "../src/index.ts";
import { listen } from "./listener.ts";

const events = ["issues", "issue_comment", "pull_request"];

type Scene = {
  readonly host: PracticeHost;
  readonly store: Store;
  readonly audit: () => Promise<AuditReport>;
  /** Moves both clocks on, in seconds. */
  readonly pass: (seconds: number) => void;
  /** Ids in the inbox, in their order. */
  readonly inbox: () => Promise<readonly string[]>;
  /** Lets the receiver answer with this status from now on; it stores nothing. */
  readonly answers: (status: number) => void;
};

/** A host with a webhook to a receiver that loses everything, and an audit into a store. */
async function scene(
  options: {
    readonly token?: string | null;
    readonly path?: string;
    readonly repositories?: readonly string[];
  } = {},
): Promise<Scene> {
  let now = Date.now();
  let status = 503;
  const host = await createPracticeHost({
    users: [{ login: "ada", token: "t-ada" }],
    now: () => now,
  });
  onTestFinished(() => host.stop());
  const receiver = await listen("s", () => status);
  onTestFinished(receiver.stop);
  const access = { host: "practice.invalid", apiBaseUrl: host.apiUrl };
  await createHostSetup({ ...access, token: "t-ada" }).ensureWebhook(
    { host: null, owner: "practice", repo: "garden" },
    { url: receiver.url, secret: secretOf("s"), events },
  );
  const store = await openStore("memory:", { instance: "default", now: () => now });
  onTestFinished(() => store.close());
  const audit = createGapAudit(
    { ...access, token: options.token === undefined ? "t-ada" : options.token },
    {
      inbox: store,
      find: (id) => store.log.find(id),
      cursors: store.cursors,
      settings: async () => ({
        repositories: options.repositories ?? ["practice/garden"],
        path: options.path ?? "/host-webhook",
        events,
      }),
      now: () => now,
    },
  );
  return {
    host,
    store,
    audit,
    pass: (seconds) => void (now += seconds * 1000),
    inbox: async () => (await store.log.list({ limit: 1000 })).map(({ id }) => id),
    answers: (code) => void (status = code),
  };
}

/** What the host has sent of events that somebody wants, in order. */
const sent = (host: PracticeHost): readonly string[] =>
  host
    .deliveries()
    .filter(({ event }) => events.includes(event))
    .map(({ id }) => id);

test("what nobody took is fetched, oldest first, under its own id, with the payload that was sent", async () => {
  const { host, store, audit, inbox } = await scene();
  host.openIssue({ title: "Water", labels: ["loop: auto-execute"], by: "ada" });
  host.comment(1, "loop start", "ada");
  host.closeIssue(1, "ada");
  await host.check({ name: "build", of: "main", conclusion: "success", kind: "status" });
  await host.idle();
  expect((await audit()).repositories).toMatchObject([
    {
      repository: "practice/garden",
      hooks: 1,
      listed: 5,
      failure: null,
      notes: [],
      gaps: Array.from({ length: 4 }, () => ({ recovery: "fetched", answer: 503 })),
    },
  ]);
  expect(await inbox()).toEqual(sent(host));
  for (const { seq, id } of await store.log.list({ limit: 10 }))
    expect(
      JSON.parse(new TextDecoder().decode((await store.log.body(seq)) ?? new Uint8Array())),
    ).toEqual(JSON.parse(host.deliveries().find((each) => each.id === id)?.body ?? ""));
  expect((await audit()).repositories).toMatchObject([{ gaps: [], failure: null }]);
});

test("the host itself sends nothing again, and what the inbox has is not fetched", async () => {
  const { host, store, audit, inbox } = await scene();
  host.openIssue({ title: "Water", by: "ada" });
  host.comment(1, "hello", "ada");
  await host.idle();
  const [first = ""] = sent(host);
  await store.append({
    id: first,
    source: "webhook",
    event: "issues",
    verified: true,
    receivedAt: 0,
    digest: "d",
    body: new Uint8Array([123, 125]),
    ignored: null,
  });
  host.traffic.clear();
  expect((await audit()).repositories).toMatchObject([{ gaps: [{ delivery: sent(host)[1] }] }]);
  expect(host.traffic.calls().filter(({ path }) => /deliveries\/\d/.test(path))).toHaveLength(1);
  expect(await inbox()).toEqual(sent(host));
  expect(host.deliveries().every(({ attempts }) => attempts.length === 1)).toBe(true);
});

test("at the first look what somebody took counts as done; later also an id that got 2xx and is not here is fetched", async () => {
  const { host, audit, answers, inbox, pass } = await scene();
  answers(202);
  host.openIssue({ title: "Before our time", by: "ada" });
  await host.idle();
  expect((await audit()).repositories).toMatchObject([{ listed: 1, gaps: [] }]);
  pass(3600);
  host.comment(1, "taken, and lost with a disk", "ada");
  await host.idle();
  expect((await audit()).repositories).toMatchObject([
    { gaps: [{ answer: 202, recovery: "fetched" }] },
  ]);
  expect(await inbox()).toEqual(sent(host).slice(1));
});

test("a later look reads back to a little before the one before, not the whole past", async () => {
  const { host, audit, pass } = await scene();
  for (let n = 0; n < 130; n++) host.openIssue({ title: `issue ${n}`, by: "ada" });
  await host.idle();
  expect((await audit()).repositories[0]?.gaps).toHaveLength(130);
  for (const listed of [131, 2]) {
    pass(3600);
    host.openIssue({ title: "one more", by: "ada" });
    await host.idle();
    host.traffic.clear();
    expect((await audit()).repositories[0]).toMatchObject({
      listed,
      gaps: [{ recovery: "fetched" }],
    });
  }
  expect(host.traffic.calls().filter(({ path }) => path.includes("/deliveries?"))).toHaveLength(1);
});

test("where the payload is gone the host is asked to send it again; where it will not, that is said", async () => {
  const { host, store, audit, answers, pass } = await scene();
  host.openIssue({ title: "Water", by: "ada" });
  await host.idle();
  host.traffic.break({
    fits: (path, method) => method === "GET" && /deliveries\/\d+$/.test(path),
    status: 404,
  });
  answers(202);
  expect((await audit()).repositories).toMatchObject([{ gaps: [{ recovery: "asked-again" }] }]);
  await host.idle();
  expect(host.deliveries()[0]?.attempts.map(({ why, status }) => [why, status])).toEqual([
    ["first", 503],
    ["redelivery", 202],
  ]);
  await store.append({
    id: sent(host)[0] ?? "",
    source: "webhook",
    event: "issues",
    verified: true,
    receivedAt: 0,
    digest: "d",
    body: new Uint8Array([123, 125]),
    ignored: null,
  });
  pass(3600);
  host.comment(1, "hello", "ada");
  await host.idle();
  host.traffic.break({ fits: (path) => /deliveries\/\d+/.test(path), status: 403 });
  expect((await audit()).repositories[0]?.gaps.map(({ recovery }) => recovery)).toEqual(["lost"]);
});

test("a host that fails in between is asked from there another time, and nothing is passed over", async () => {
  const { host, audit, inbox, pass } = await scene();
  for (let n = 0; n < 4; n++) {
    host.openIssue({ title: `issue ${n}`, by: "ada" });
    await host.idle();
    pass(1);
  }
  const third = host.deliveries()[2]?.attempts[0]?.id;
  host.traffic.break({ fits: (path) => path.endsWith(`/deliveries/${third}`), status: 502 });
  expect((await audit()).repositories).toMatchObject([
    { failure: { code: "LOOP_E_HOST_SERVER" }, gaps: [{}, {}] },
  ]);
  pass(3 * 24 * 3600);
  host.traffic.break(null);
  expect((await audit()).repositories).toMatchObject([{ failure: null, gaps: [{}, {}] }]);
  expect(await inbox()).toEqual(sent(host));
});

test("no token, no permission, a repository that is gone: said, and the others are looked at", async () => {
  expect((await (await scene({ token: null })).audit()).repositories).toMatchObject([
    { failure: { code: "LOOP_E_HOST_NO_TOKEN" } },
  ]);
  const { host, audit, inbox } = await scene({
    repositories: ["practice/gone", "practice/garden"],
  });
  host.openIssue({ title: "Water", by: "ada" });
  await host.idle();
  expect((await audit()).repositories).toMatchObject([
    { failure: { code: "LOOP_E_HOST_NOT_FOUND" } },
    { failure: null },
  ]);
  expect(await inbox()).toEqual(sent(host));
  host.traffic.break({ fits: (path) => path.includes("/hooks"), status: 403 });
  expect((await audit()).repositories).toMatchObject([
    { failure: { code: "LOOP_E_HOST_FORBIDDEN" } },
    { failure: { code: "LOOP_E_HOST_FORBIDDEN" } },
  ]);
});

test("behind a proxy that maps paths a webhook is known by what the inbox has of it; others are none of ours", async () => {
  const { host, store, audit, inbox } = await scene({ path: "/elsewhere" });
  host.openIssue({ title: "Water", by: "ada" });
  host.comment(1, "hello", "ada");
  await host.idle();
  expect((await audit()).repositories).toMatchObject([
    { hooks: 0, gaps: [], notes: ["no webhook of the repository leads to /elsewhere"] },
  ]);
  const [first = ""] = sent(host);
  await store.append({
    id: first,
    source: "webhook",
    event: "issues",
    verified: true,
    receivedAt: 0,
    digest: "d",
    body: new Uint8Array([123, 125]),
    ignored: null,
  });
  expect((await audit()).repositories).toMatchObject([
    { hooks: 1, gaps: [{ delivery: sent(host)[1] }] },
  ]);
  expect(await inbox()).toEqual(sent(host));
});

test("the audit rests before the host's limit is used up, and goes on afterwards", async () => {
  const { host, audit, inbox } = await scene();
  for (let n = 0; n < 20; n++) host.openIssue({ title: `issue ${n}`, by: "ada" });
  await host.idle();
  host.traffic.limit(10);
  const report = await audit();
  expect(report.restUntil).not.toBeNull();
  expect(report.repositories[0]?.gaps.length).toBeLessThan(9);
  expect((await audit()).repositories).toEqual([]);
  expect((await inbox()).length).toBe(report.repositories[0]?.gaps.length);
});
