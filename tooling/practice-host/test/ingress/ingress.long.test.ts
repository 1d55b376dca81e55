import { createHostSetup } from "@loopwork/codehost";
import { createGapAudit, createPoll } from "@loopwork/codehost/poller";
import { type InboundEvent, normalise } from "@loopwork/core";
import {
  emptyItemState,
  formatRef,
  type ItemState,
  type Store,
  type StoredDelivery,
} from "@loopwork/core/ports";
import { createReceiver } from "@loopwork/receiver";
import { openStore } from "@loopwork/store";
import { secretOf } from "@loopwork/core/testing";
import { describe, expect, onTestFinished, test } from "vitest";
import { createPracticeHost, type Delivery, type PracticeHost } from "../../src/index.ts";
import { type IngressRow, ingressRows } from "./rows.ts";

/** One way in which what happens on the host gets into the inbox. */
type Ingress = "push" | "pull" | "audit";

type Scene = {
  readonly host: PracticeHost;
  readonly store: Store;
  readonly step: (act: () => unknown) => Promise<void>;
  readonly bring: () => Promise<void>;
};

const takenEvents = [
  "issues",
  "issue_comment",
  "pull_request",
  "pull_request_review",
  "pull_request_review_comment",
  "workflow_run",
  "check_run",
  "check_suite",
  "status",
];

/**
 * A host with its issue and pull request, and the ingresses into one store. `bring` lets each of
 * them bring what there is.
 */
async function scene(ingresses: readonly Ingress[], over: typeof fetch = fetch): Promise<Scene> {
  let now = Date.now();
  const host = await createPracticeHost({
    users: [{ login: "ada", token: "t-ada" }],
    now: () => now,
  });
  onTestFinished(() => host.stop());
  const store = await openStore("memory:", { instance: "default", now: () => now });
  onTestFinished(() => store.close());
  const access = { host: "practice.invalid", apiBaseUrl: host.apiUrl, token: "t-ada" };

  host.openIssue({ title: "Water", body: "daily", labels: ["loop: auto-execute"], by: "ada" });
  const sha = await host.commit({
    branch: "issue-1",
    message: "work",
    files: { "a.txt": "a\n" },
    by: "agent",
  });
  await host.openPull({ title: "Water it", head: "issue-1", by: "agent" });
  now += 120_000;

  const bringers: (() => Promise<unknown>)[] = [];
  if (ingresses.includes("push")) {
    const receiver = createReceiver({
      inbox: store,
      secrets: ["s"],
      path: "/host-webhook",
      now: () => now,
    });
    const { address } = await receiver.listen(0, "127.0.0.1");
    onTestFinished(() => receiver.stop());
    host.aim({ url: `http://127.0.0.1:${address.port}/host-webhook`, secret: "s" });
    bringers.push(() => host.idle());
  } else if (ingresses.includes("audit")) {
    await createHostSetup(access).ensureWebhook(
      { host: null, owner: "practice", repo: "garden" },
      { url: "http://127.0.0.1:9/host-webhook", secret: secretOf("s"), events: takenEvents },
    );
    const audit = createGapAudit(access, {
      inbox: store,
      find: (id) => store.log.find(id),
      cursors: store.cursors,
      settings: async () => ({
        repositories: ["practice/garden"],
        path: "/host-webhook",
        events: takenEvents,
      }),
      now: () => now,
    });
    bringers.push(async () => (await host.idle(), audit()));
  }
  if (ingresses.includes("pull")) {
    const poll = createPoll(
      { ...access, fetch: over },
      {
        inbox: store,
        cursors: store.cursors,
        items: async () => [recorded(sha)],
        settings: () => ({
          repositories: ["practice/garden"],
          autoExecuteLabel: "loop: auto-execute",
        }),
        now: () => now,
      },
    );
    bringers.push(async () =>
      expect((await poll()).repositories).toMatchObject([{ failure: null }]),
    );
  }
  const bring = async (): Promise<void> => {
    now += 1000;
    for (const each of bringers) await each();
  };
  const step = async (act: () => unknown): Promise<void> => {
    now += 1000;
    await act();
  };
  await bring();
  return { host, store, step, bring };
}

/** Issue #1 at work, with pull request #2. */
function recorded(headSha: string): ItemState {
  const ref = (number: number) =>
    formatRef({ host: null, owner: "practice", repo: "garden", number });
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
    ref: ref(1),
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
  return {
    ...emptyItemState,
    workItem,
    pullRequests: [{ pullRequest: ref(2), headSha, headBranch: "issue-1", open: true, at: 0 }],
  };
}

/** What got into the store by the row, by seq. */
async function brought(
  row: IngressRow,
  { host, store, step, bring }: Scene,
): Promise<{ readonly stored: readonly InboundEvent[]; readonly sent: readonly InboundEvent[] }> {
  const [before, told] = [(await store.log.list({ limit: 1000 })).length, host.deliveries().length];
  await row.act(host, step);
  await bring();
  const stored = await Promise.all(
    (await store.log.list({ limit: 1000 }))
      .slice(before)
      .map(async (each) =>
        eventOf(
          each,
          new TextDecoder().decode((await store.log.body(each.seq)) ?? new Uint8Array()),
        ),
      ),
  );
  return { stored, sent: host.deliveries().slice(told).map(sentEvent) };
}

const sentEvent = ({ id, event, body }: Delivery): InboundEvent =>
  eventOf({ id, source: "webhook", event }, body);

function eventOf(
  delivery: Pick<StoredDelivery, "id" | "source" | "event">,
  text: string,
): InboundEvent {
  const understood = normalise(delivery, JSON.parse(text), { defaultHost: "practice.invalid" });
  if (!understood.ok) throw new Error(`${delivery.event} is not understood: ${understood.why}`);
  return understood.event;
}

const lineOf = (event: InboundEvent): string =>
  `${event.event} ${event.action}${"item" in event ? ` #${event.item.number}` : ""} by ${event.actor?.login ?? "-"}`;
const linesOf = (events: readonly InboundEvent[]): readonly string[] => events.map(lineOf);

for (const ingress of ["push", "pull", "audit"] as const) {
  describe(`by ${ingress}`, () => {
    for (const row of ingressRows) {
      test(`${row.id} ${row.title}`, async () => {
        const { stored, sent } = await brought(row, await scene([ingress]));
        expect(linesOf(sent)).toEqual(row.tells);
        const expected = ingress === "pull" ? (row.polled ?? row.tells) : row.tells;
        expect(linesOf(stored)).toEqual(expected);
        // One name for one happening, whichever way it comes: that is what lets it act once.
        const keys = sent.map(({ key }) => key);
        for (const { key } of stored) expect(keys).toContain(key);
        expect(new Set(stored.map(({ key }) => key)).size).toBe(stored.length);
      });
    }
  });
}

describe("by push and pull at once, every happening has one name", () => {
  for (const row of ingressRows) {
    test(`${row.id} ${row.title}`, async () => {
      const { stored, sent } = await brought(row, await scene(["push", "pull"]));
      expect(new Set(stored.map(({ key }) => key))).toEqual(new Set(sent.map(({ key }) => key)));
      expect(stored.length).toBe(sent.length + (row.polled ?? row.tells).length);
    });
  }
});

test("the contract can fail: where the lists number comments another way, one comment has two names", async () => {
  const renumbered: typeof fetch = async (input, init) => {
    const answer = await fetch(input, init);
    if (!String(input).includes("/issues/comments")) return answer;
    return new Response(
      (await answer.text()).replaceAll(/"id":(\d{1,9}),"node_id"/g, '"id":9$1,"node_id"'),
      { status: answer.status === 304 ? 200 : answer.status, headers: answer.headers },
    );
  };
  const { stored, sent } = await brought(
    rowNamed("G04"),
    await scene(["push", "pull"], renumbered),
  );
  expect(stored).toHaveLength(2);
  expect(new Set(stored.map(({ key }) => key))).not.toEqual(new Set(sent.map(({ key }) => key)));
});

function rowNamed(id: string): IngressRow {
  const row = ingressRows.find((each) => each.id === id);
  if (row === undefined) throw new Error(`there is no row ${id}`);
  return row;
}
