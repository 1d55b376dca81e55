import { createHash } from "node:crypto";
import type { JsonObject } from "@loopwork/core/ports";
import { expect, test } from "vitest";
import { until } from "../support/until.ts";
import { createWorld, type Service, type World } from "../support/world.ts";

type Told = { readonly event: string; readonly payload: JsonObject };

/** What the host told last of an action. */
function toldOf(world: World, event: string, action: string): Told {
  const found = world.host
    .deliveries()
    .findLast((each) => each.event === event && each.action === action);
  if (found === undefined) throw new Error(`the host told no ${event} ${action}`);
  return { event, payload: found.payload };
}

/**
 * Hands one in under its own id, as a webhook or as the poller does, and resolves to why it was
 * decided as it was.
 */
async function tell(
  service: Service,
  id: string,
  { event, payload }: Told,
  change: (payload: JsonObject) => JsonObject = (same) => same,
): Promise<string | null> {
  const body = new TextEncoder().encode(JSON.stringify(change(payload)));
  await service.parts.store.append({
    id,
    source: id.startsWith("poll-") ? "poll" : "webhook",
    event,
    verified: false,
    receivedAt: Date.now(),
    digest: createHash("sha256").update(body).digest("hex"),
    body,
    ignored: null,
  });
  const decided = await until(
    async () =>
      (await service.events("delivery.decided")).find(({ delivery }) => delivery === id) ?? null,
    `the decision about ${id}`,
  );
  return decided.reason;
}

/** An issue at work, and a pull request of ada's for it. */
async function atWork(): Promise<{
  readonly world: World;
  readonly service: Service;
  readonly number: number;
}> {
  const world = await createWorld();
  const service = await world.start();
  const number = world.startIssue();
  await until(
    async () => (await service.turns()).some(({ state }) => state === "done"),
    "the first turn",
  );
  await world.host.commit({
    branch: `issue-${number}`,
    message: "one",
    files: { "a.txt": "one\n" },
    by: "ada",
  });
  await world.host.openPull({ title: "Water", head: `issue-${number}`, by: "ada" });
  await world.host.commit({
    branch: `issue-${number}`,
    message: "two",
    files: { "a.txt": "two\n" },
    by: "ada",
  });
  await world.host.idle();
  return { world, service, number };
}

/** The payload with its item as it was so many seconds after noon of a day to come. */
const at =
  (name: "issue" | "pull_request", seconds: number, more: JsonObject = {}) =>
  (payload: JsonObject): JsonObject => ({
    ...payload,
    ...more,
    [name]: {
      ...Object(payload[name]),
      updated_at: new Date(Date.UTC(2030, 0, 1, 12, 0, seconds)).toISOString().replace(".000", ""),
    },
  });

test(
  "R20 a branch that is pushed forth, back and forth again is told three times, and once each by webhook and by poll",
  { timeout: 120_000 },
  async () => {
    const { world, service } = await atWork();
    const push = toldOf(world, "pull_request", "synchronize");
    const [a, b] = ["a".repeat(40), "b".repeat(40)];
    const [forth, back] = [
      { before: a, after: b },
      { before: b, after: a },
    ];
    expect(await tell(service, "forth", push, at("pull_request", 10, forth))).toBe(
      "activity-of-session",
    );
    expect(await tell(service, "back", push, at("pull_request", 300, back))).toBe(
      "activity-of-session",
    );
    expect(await tell(service, "forth-again", push, at("pull_request", 600, forth))).toBe(
      "activity-of-session",
    );
    // The poller's list has other times for the same three.
    expect(await tell(service, "poll-1", push, at("pull_request", 8, forth))).toBe("seen-before");
    expect(await tell(service, "poll-2", push, at("pull_request", 297, back))).toBe("seen-before");
    expect(await tell(service, "poll-3", push, at("pull_request", 601, forth))).toBe("seen-before");
    // And the other way round: what was polled first is not told again by its webhook, which
    // somebody fetched late.
    expect(await tell(service, "poll-4", push, at("pull_request", 900, back))).toBe(
      "activity-of-session",
    );
    expect(await tell(service, "back-again", push, at("pull_request", 903, back))).toBe(
      "seen-before",
    );
    const explained = await world.scene.loop("why", "poll-3");
    expect(explained.out).toContain("Duplicate of delivery forth-again.");
    expect((await world.scene.loop("replay", "--since", "1h", "--json")).json()).toMatchObject({
      changed: [],
      unknown: [],
    });
  },
);

test(
  "R20 a reopening, an edit and a wish for a review act once, though webhook and poll give them other times",
  { timeout: 120_000 },
  async () => {
    const { world, service, number } = await atWork();
    world.host.editIssue(number, { title: "Water twice" }, "ada");
    await world.host.idle();
    const edit = toldOf(world, "issues", "edited");
    for (const action of ["edited", "reopened"]) {
      const told = (seconds: number): ((payload: JsonObject) => JsonObject) =>
        at("issue", seconds, { action });
      expect(await tell(service, `${action}-webhook`, edit, told(10))).toBe("activity-of-session");
      expect(await tell(service, `poll-${action}`, edit, told(12))).toBe("seen-before");
      expect(await tell(service, `${action}-again`, edit, told(400))).toBe("activity-of-session");
    }
    const pull = toldOf(world, "pull_request", "synchronize");
    const asked = (login: string, seconds: number): ((payload: JsonObject) => JsonObject) =>
      at("pull_request", seconds, {
        action: "review_requested",
        requested_reviewer: { login, id: 9 },
      });
    expect(await tell(service, "asked-ben", pull, asked("ben", 10))).toBe("activity-of-session");
    expect(await tell(service, "poll-asked-ben", pull, asked("ben", 11))).toBe("seen-before");
    expect(await tell(service, "asked-cleo", pull, asked("cleo", 11))).toBe("activity-of-session");
  },
);

test(
  "two edits within one second are both told, and neither is twice",
  { timeout: 120_000 },
  async () => {
    const { world, service, number } = await atWork();
    const { id } = world.host.comment(number, "Every morning.", "ada");
    world.host.editComment(id, "Every evening.", "ada");
    await world.host.idle();
    const edit = toldOf(world, "issue_comment", "edited");
    const words =
      (body: string) =>
      (payload: JsonObject): JsonObject => ({
        ...payload,
        comment: { ...Object(payload["comment"]), body, updated_at: "2030-01-01T12:00:00Z" },
      });
    expect(await tell(service, "edit-1", edit, words("Every noon."))).toBe("input-of-authorized");
    expect(await tell(service, "edit-2", edit, words("Never."))).toBe("input-of-authorized");
    expect(await tell(service, "edit-3", edit, words("Every noon."))).toBe("seen-before");
    expect(await tell(service, "poll-edit", edit, words("Never."))).toBe("seen-before");
  },
);

test("two hosts that give out the same number are told apart", { timeout: 120_000 }, async () => {
  const { world, service, number } = await atWork();
  world.host.comment(number, "Every morning.", "ada");
  await world.host.idle();
  const said = toldOf(world, "issue_comment", "created");
  const elsewhere = (payload: JsonObject): JsonObject => ({
    ...payload,
    repository: {
      ...Object(payload["repository"]),
      html_url: "https://code.example.org/practice/garden",
    },
  });
  await until(
    async () =>
      (await service.events("delivery.decided")).some(
        ({ reason }) => reason === "input-of-authorized",
      ),
    "the comment",
  );
  expect(await tell(service, "elsewhere", said, elsewhere)).not.toBe("seen-before");
  expect(await tell(service, "elsewhere-again", said, elsewhere)).toBe("seen-before");
});
