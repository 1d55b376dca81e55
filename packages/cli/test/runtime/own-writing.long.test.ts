import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { formatRef, type RefText, type Turn, verbatimPost } from "@loopwork/core/ports";
import { commentEvent } from "@loopwork/core/testing";
import { eventLine, type RuntimeParts } from "@loopwork/runtime";
import { purposeOf } from "../../../runtime/src/handlers/reply.ts";
import { type AskingParts, askingParts } from "../../../runtime/src/resolution-answers.ts";
import { type OwnDoing, ownDoing } from "../../../runtime/src/own-doing.ts";
import { carryOutRequest } from "../../../runtime/src/turn/carry-out-request.ts";
import type { TurnAnswer } from "@loopwork/runtime";
import { refOf } from "../../../runtime/src/turn/session.ts";
import { forgetful, writeHostCommand } from "../support/host-command.ts";
import { until } from "../support/until.ts";
import { createWorld, type Service, type World } from "../support/world.ts";

const statusOf = async (
  service: Service,
  world: World,
  number: number,
): Promise<string | undefined> =>
  (await service.parts.store.items.load(world.ref(number))).workItem?.control.status;
const idle = (service: Service): Promise<unknown> =>
  until(async () => (await service.parts.store.stats()).undecided === 0, "every decision");

describe("what an agent posts with a tool of its own", () => {
  const words = "{{stub:bash gh issue comment 1 --body 'loop stop'}} {{stub:hang 1200}}";

  test(
    "P09 P10 is known by the hook's record, although the host tells of it first: it neither steers nor wakes",
    { timeout: 60_000 },
    async () => {
      const world = await createWorld({ quietSeconds: 4 });
      writeHostCommand(world);
      const service = await world.start();
      const number = world.startIssue(words);
      await service.event("host.posted", ({ reason }) => reason === "agent-tool");
      await service.event("delivery.decided", ({ reason }) => reason === "own-comment");
      await service.event("turn.done");
      await idle(service);
      expect(await statusOf(service, world, number)).toBe("started");
      expect(await service.turns()).toHaveLength(1);
    },
  );

  test(
    "the test above can fail: without the record the same words stop the session",
    { timeout: 60_000 },
    async () => {
      const world = await createWorld({ quietSeconds: 1 });
      writeHostCommand(world);
      const service = await world.start(forgetful);
      const number = world.startIssue(words);
      await until(async () => (await statusOf(service, world, number)) === "stopped", "the stop");
    },
  );
});

describe("a grant that an agent may have written", () => {
  const refused =
    "Nobody can tell whether a person wrote it. Run `loop add-collaborator` with the login on the command line";

  test(
    "P06 by a program that it runs in its turn, of which no hook tells, grants nothing, and the thread says how a person can",
    { timeout: 60_000 },
    async () => {
      const world = await createWorld({ quietSeconds: 1 });
      writeHostCommand(world);
      const service = await world.start(forgetful);
      const number = world.startIssue(
        "{{stub:bash gh issue comment 1 --body 'loop add-collaborator @mallory'}}",
      );
      const { delivery } = await service.event(
        "delivery.decided",
        ({ reason }) => reason === "grant-during-turn",
      );
      await service.event("turn.done");
      expect((await service.parts.store.items.load(world.ref(number))).collaborators).toEqual([]);
      await until(
        () => world.host.issue(number).comments.some(({ body }) => body.includes(refused)),
        "the word on the thread",
      );
      expect((await world.scene.loop("why", delivery ?? "")).out.replaceAll(/\s+/g, " ")).toContain(
        refused,
      );
      expect((await world.scene.loop("replay", "--since", "1h", "--json")).json()).toMatchObject({
        changed: [],
        unknown: [],
      });
      expect(
        await world.scene.loop("add-collaborator", "@grace", "--work-item", world.ref(number)),
      ).toMatchObject({ code: 0 });
    },
  );

  test(
    "P06 does not count either where the turn is over by the time that it is told; one that is written later does",
    { timeout: 60_000 },
    async () => {
      const world = await createWorld();
      const service = await world.start();
      const number = world.startIssue("{{stub:hang 1500}}");
      await until(() => world.prompts().length === 1, "the first prompt");
      world.host.aim({ url: "http://127.0.0.1:9/", secret: "practice-secret" });
      world.host.comment(number, "loop add-collaborator @grace", "ada");
      await service.event("turn.done");
      world.host.aim({ url: service.url, secret: "practice-secret" });
      await world.host.redeliver(world.host.deliveries().at(-1)?.id ?? "");
      await service.event("delivery.decided", ({ reason }) => reason === "grant-during-turn");
      await sleep(1_100); // The host's clock counts seconds.
      world.host.comment(number, "loop add-collaborator @grace", "ada");
      await service.event("delivery.decided", ({ reason }) => reason === "collaborator-granted");
      expect((await service.parts.store.items.load(world.ref(number))).collaborators).toMatchObject(
        [{ login: "grace" }],
      );
    },
  );
});

describe("quiet time while a turn runs", () => {
  test(
    "a person's comment on that item waits it out and what comes after waits behind it; other items go on",
    { timeout: 60_000 },
    async () => {
      const world = await createWorld({ quietSeconds: 6 });
      const service = await world.start();
      const number = world.startIssue("{{stub:hang 25000}}");
      await until(() => world.prompts().length === 1, "the first prompt");
      await idle(service);
      const began = Date.now();
      world.host.comment(number, "loop pause", "ada");
      world.host.label(number, "later", "ada");
      const other = world.host.openIssue({
        title: "Water",
        body: "",
        labels: ["loop: auto-execute"],
        by: "ada",
      });
      await until(
        async () =>
          (await service.parts.store.log.list({ workItem: world.ref(other.number), limit: 9 }))
            .length > 0 && (await service.parts.store.log.undecided(9)).length === 2,
        "the other item",
      );
      expect(await statusOf(service, world, number)).toBe("started");
      await until(async () => (await statusOf(service, world, number)) === "paused", "the pause");
      expect(Date.now() - began).toBeGreaterThan(5_000);
      await idle(service);
      const seqs = await service.parts.store.log.list({ workItem: world.ref(number), limit: 9 });
      expect(seqs.map(({ event }) => event).slice(-2)).toEqual(["issue_comment", "issues"]);
    },
  );

  test(
    "loop why says so of the comment, of what waits behind it, and of the item",
    { timeout: 60_000 },
    async () => {
      const world = await createWorld({ quietSeconds: 12 });
      const service = await world.start();
      const number = world.startIssue("{{stub:hang 25000}}");
      await until(() => world.prompts().length === 1, "the first prompt", undefined, 40_000);
      await idle(service);
      world.host.comment(number, "loop pause", "ada");
      world.host.label(number, "later", "ada");
      const other = world.host.openIssue({ title: "Water", body: "", by: "ada" });
      await until(
        async () => (await service.parts.store.log.undecided(9)).length === 2,
        "two that wait",
      );
      const [comment, label] = await service.parts.store.log.undecided(9);
      const why = async (subject: string): Promise<string> =>
        (await world.scene.loop("why", subject)).out.replaceAll(/\s+/g, " ");
      const cause = `waits: a turn of ${world.ref(number)} runs, and its agent may have written this comment itself. It is decided once no turn runs, at the latest in `;
      expect(await why(comment?.id ?? "")).toContain(cause);
      expect(await why(label?.id ?? "")).toContain(
        `waits: the comment of delivery ${comment?.id} on ${world.ref(number)} waits before it`,
      );
      expect(await why(world.ref(number))).toContain(cause);
      expect(await why(world.ref(number))).toMatch(
        /^\S+ "[^"]+" It was started by @ada: its session hears what people say\. Turn 1 is running \(started \d+ s ago\)\. /,
      );
      expect(await why(world.ref(other.number))).not.toContain("waits:");
      expect((await world.scene.loop("why", comment?.id ?? "", "--json")).json()).toMatchObject({
        quietUntil: (comment?.receivedAt ?? 0) + 12_000,
      });
    },
  );

  test(
    "D05 a comment that lies in the future, because the clock was set back, waits for nothing",
    { timeout: 60_000 },
    async () => {
      const world = await createWorld({ quietSeconds: 4 });
      let back = 0;
      const service = await world.start((parts) => ({
        ...parts,
        clock: { now: () => parts.clock.now() - back },
      }));
      const number = world.startIssue("{{stub:hang 20000}}");
      await until(() => world.prompts().length === 1, "the first prompt");
      back = 3_600_000;
      world.host.comment(number, "loop pause", "ada");
      await until(
        async () => (await statusOf(service, world, number)) === "paused",
        "the pause",
        undefined,
        10_000,
      );
      expect((await service.turns()).map(({ state }) => state)).toEqual(["injecting"]);
    },
  );

  test("the turn's end ends the wait", { timeout: 60_000 }, async () => {
    const world = await createWorld({ quietSeconds: 3_600 });
    let ahead = 0;
    const service = await world.start((parts) => ({
      ...parts,
      clock: { now: () => parts.clock.now() + ahead },
    }));
    const { number } = world.host.openIssue({
      title: "Water",
      body: "{{stub:hang 2500}}",
      labels: ["loop: auto-execute"],
      by: "ada",
    });
    await idle(service);
    world.host.comment(number, "loop start", "ada");
    await idle(service);
    ahead = 3_700_000;
    await until(() => world.prompts().length === 1, "the first prompt");
    world.host.comment(number, "loop pause", "ada");
    await until(async () => (await statusOf(service, world, number)) === "paused", "the pause");
  });
});

describe("P09 markers", () => {
  test(
    "a forged one suppresses nothing, nor does a valid one that somebody copied with its words",
    { timeout: 60_000 },
    async () => {
      const world = await createWorld();
      const service = await world.start();
      const number = world.startIssue("{{stub:bash loop comment loop pause}} {{stub:text done}}");
      await service.event("turn.done");
      await service.event("delivery.decided", ({ reason }) => reason === "own-comment");
      expect(await statusOf(service, world, number)).toBe("started");
      // What an agent posts carries no keyword any more; only the service itself could sign one.
      expect(
        world.host.issue(number).comments.find(({ author }) => author.login === "loop-agent")?.body,
      ).toMatch(/^`loop pause`\n\n(?:_.*_\n\n)?<!-- loop:/);
      const copied = service.parts.marks.sign(verbatimPost("loop pause"), "effect-1");

      world.host.comment(number, "loop stop\n\n<!-- loop:effect-1:forged -->", "ada");
      await until(async () => (await statusOf(service, world, number)) === "stopped", "the stop");
      world.host.comment(number, "loop start", "ada");
      await until(async () => (await statusOf(service, world, number)) === "started", "the start");
      world.host.comment(number, copied, "ada");
      await until(async () => (await statusOf(service, world, number)) === "paused", "the pause");
    },
  );

  test(
    "a host that does not tell whose token it is makes nobody ours by a copied marker, and keeps what is on record ours",
    { timeout: 60_000 },
    async () => {
      const world = await createWorld();
      world.host.traffic.break({ fits: (path) => path === "/user", status: 403 });
      const service = await world.start();
      const number = world.startIssue("{{stub:bash loop comment loop pause}} {{stub:text done}}");
      await service.event("turn.done");
      await idle(service);
      expect(
        world.host.traffic.calls().some(({ path, status }) => path === "/user" && status === 403),
      ).toBe(true);
      const own = world.host
        .issue(number)
        .comments.find(({ author }) => author.login === "loop-agent");
      world.host.comment(
        number,
        service.parts.marks.sign(verbatimPost("loop pause"), "effect-1"),
        "ada",
      );
      await until(async () => (await statusOf(service, world, number)) === "paused", "the pause");
      await sleep(50);
      world.host.editComment(own?.id ?? 0, "loop stop", "loop-agent");
      await idle(service);
      expect(await statusOf(service, world, number)).toBe("paused");
    },
  );
});

/** A host that does not tell whose token it is. */
function untold(parts: RuntimeParts): AskingParts {
  const asking = askingParts(parts);
  return { ...asking, questions: { ...asking.questions, ownAccount: () => Promise.resolve(null) } };
}

test(
  "D05 what carries our marker and stands in our log is ours, though the host does not tell our login and the clock is off",
  { timeout: 60_000 },
  async () => {
    const world = await createWorld();
    const service = await world.start();
    const { parts } = service;
    const silent = untold(parts);
    const now = parts.clock.now();
    await parts.store.events.append([
      {
        ...eventLine(parts, "host.posted", { fields: { comment: "4242" } }),
        time: now - 3_600_000,
      },
    ]);
    const own = async (body: string, id: string): Promise<string> =>
      (
        await ownDoing(
          commentEvent(body, { at: new Date(now).toISOString(), comment: { id } }),
          null,
          parts.settings().policy,
          silent,
          [],
        )
      ).own;
    const marked = parts.marks.sign(verbatimPost("The item is closed."), "effect-1");
    expect([
      await own(marked, "4242"),
      await own("The item is closed.", "4242"),
      await own(marked, "4243"),
    ]).toEqual(["comment", "no", "no"]);
  },
);

test(
  "D02 a post that a daemon was about to make when it died is ours, though the host does not tell our login",
  { timeout: 60_000 },
  async () => {
    const world = await createWorld();
    const service = await world.start();
    const { parts } = service;
    world.host.traffic.break({ fits: (path) => path.endsWith("/comments"), status: 502 });
    const number = world.startIssue("{{stub:text done}}");
    world.host.comment(number, "loop remove-collaborator @dave", "ada");
    const entry = await until(
      async () =>
        (await parts.store.outbox.pending({ limit: 10 })).find(
          ({ effect, attempts }) => effect.kind === "reply" && attempts > 0,
        ) ?? null,
      "the interrupted reply",
    );
    const silent = untold(parts);
    const own = async (body: string): Promise<string> =>
      (
        await ownDoing(
          commentEvent(body, { comment: { id: "4244" } }),
          null,
          parts.settings().policy,
          silent,
          [],
        )
      ).own;
    expect([
      await own(parts.marks.sign(verbatimPost("Nothing to revoke."), purposeOf(entry, parts))),
      await own(parts.marks.sign(verbatimPost("Nothing to revoke."), "effect-of-nobody")),
      await own("Nothing to revoke."),
    ]).toEqual(["comment", "no", "no"]);
  },
);

test(
  "D02 what an agent said is ours where the daemon that posted it died, and its request failed when it was tried again, until a post of it is on record",
  { timeout: 60_000 },
  async () => {
    const { parts } = await (await createWorld()).start();
    const silent = untold(parts);
    const own = async (purpose: string): Promise<string> =>
      (
        await ownDoing(
          commentEvent(parts.marks.sign(verbatimPost("I have begun."), purpose), {
            comment: { id: "4245" },
          }),
          null,
          parts.settings().policy,
          silent,
          [],
        )
      ).own;
    await parts.store.events.append([
      eventLine(parts, "host.failed", {
        reason: "LOOP_E_HOST_UNREACHABLE",
        fields: { purpose: "turn-1-r1", detail: "asking whose token it is: unreachable" },
      }),
    ]);
    expect([await own("turn-1-r1"), await own("turn-1-r11")]).toEqual(["comment", "no"]);
    await parts.store.events.append([
      eventLine(parts, "host.posted", { fields: { comment: "4246", purpose: "turn-1-r1" } }),
    ]);
    expect(await own("turn-1-r1")).toBe("no");
  },
);

test(
  "D02 what an agent said with `loop comment` is ours while its request is not answered, though the host does not tell our login",
  { timeout: 120_000 },
  async () => {
    const world = await createWorld();
    let [posted, noted] = [false, (): void => {}];
    const death = new Promise<void>((resolve) => (noted = resolve));
    /** The host has the comment, and the daemon does not come to write that down. */
    const service = await world.start((parts) => ({
      ...parts,
      host: {
        ...parts.host,
        ownAccount: () => Promise.resolve(null),
        async comment(thread, text) {
          const answer = await parts.host.comment(thread, text);
          if (!text.startsWith("I have begun")) return answer;
          posted = true;
          await death;
          return answer;
        },
      },
    }));
    const number = world.startIssue("{{stub:bash loop comment I have begun}}");
    await until(() => posted, "the comment");
    const decided = await until(
      async () =>
        (await service.events("delivery.decided")).find(
          ({ fields }) => fields["actor"] === "loop-agent",
        ) ?? null,
      "the decision about it",
    );
    expect(decided.reason).toBe("own-comment");
    expect((await world.scene.loop("why", decided.delivery ?? "")).code).toBe(0);
    const copied =
      world.host.issue(number).comments.find(({ body }) => body.startsWith("I have begun"))?.body ??
      "";
    noted();
    await service.event("turn.done");
    // Once it stands in the log only that comment is ours; somebody's copy of it is not.
    world.host.comment(number, copied, "ada");
    await until(
      async () =>
        (await service.events("delivery.decided")).some(
          ({ reason, fields }) => reason === "input-of-authorized" && fields["actor"] === "ada",
        ),
      "the copy, as words of ada's",
    );
  },
);

/**
 * A turn of the item that has ended, and a hook's word in its name at `at` milliseconds since 1970.
 */
async function naming(): Promise<{
  readonly service: Service;
  readonly turn: Turn;
  readonly name: (ids: readonly number[], at: number, by?: Turn) => Promise<TurnAnswer>;
  readonly own: (id: number, made: number, over?: Naming) => Promise<OwnDoing>;
}> {
  const world = await createWorld();
  const service = await world.start();
  world.startIssue("{{stub:text done}}");
  await service.event("turn.done");
  const [turn] = await service.turns();
  if (turn === undefined) throw new Error("there is no turn");
  const { parts } = service;
  const asking = askingParts(parts);
  return {
    service,
    turn,
    name: (ids, at, by = turn) =>
      carryOutRequest(
        {
          kind: "posted",
          posts: ids.map((id) => ({ surface: "conversation", commentId: String(id) })),
        },
        "turn-1-named",
        by,
        { ...parts, clock: { now: () => at } },
      ),
    own: (id, made, { by = "ada", on = turn.workItem } = {}) => {
      const at = new Date(made).toISOString();
      const workItem = refOf(on);
      return ownDoing(
        commentEvent("loop stop", {
          at,
          by: { login: by, id: "1", bot: false },
          comment: { id: String(id), createdAt: at },
        }),
        { workItem, endpoint: workItem, provenance: "itself" },
        parts.settings().policy,
        asking,
        [],
      );
    },
  };
}

type Naming = { readonly by?: string; readonly on?: RefText };

describe("P09 what the hook says is a file that anything in the turn can write, so it counts for no more than the agent can have done", () => {
  const began = ({ attempt }: Turn): number => attempt?.startedAt ?? 0;

  test(
    "a comment of the turn, under a login that agents have, is the agent's, and that is by the hook's record",
    { timeout: 60_000 },
    async () => {
      const { name, own, turn } = await naming();
      await name([4_001], began(turn) + 3_000);
      expect(await own(4_001, began(turn) + 2_000)).toEqual({
        own: "comment",
        evidence: null,
        ownBy: "hook-record",
      });
    },
  );

  test.each([1_000, 30_000, 90_000, 5 * 60_000])(
    "comments that people will make %i ms later cannot be named before, however often",
    { timeout: 60_000 },
    async (later) => {
      const { name, own, turn } = await naming();
      const made = began(turn) + 1_000 + later;
      await name(
        Array.from({ length: 20 }, (_, n) => 4_001 + n),
        began(turn) + 900,
      );
      await name([4_001], made + 500);
      expect((await own(4_001, made)).own).toBe("no");
    },
  );

  test(
    "on any item; nobody else's words, and none from before the turn",
    { timeout: 60_000 },
    async () => {
      const { name, own, turn } = await naming();
      await name([4_001, 4_002], began(turn) + 3_000);
      const made = began(turn) + 2_000;
      expect((await own(4_001, made, { by: "grace" })).own).toBe("no");
      expect(
        (await own(4_001, made, { on: formatRef({ ...refOf(turn.workItem), number: 999 }) })).own,
      ).toBe("comment");
      expect((await own(4_002, began(turn) - 1_001)).own).toBe("no");
      expect((await own(4_001, made)).own).toBe("comment");
    },
  );

  test(
    "what one turn guessed before it was made takes nothing from another that names it after",
    { timeout: 60_000 },
    async () => {
      const { name, own, turn } = await naming();
      const made = began(turn) + 2_000;
      await name([4_001], made - 500);
      expect((await own(4_001, made)).own).toBe("no");
      await name([4_001], made + 500, { ...turn, id: turn.id + 1 });
      expect((await own(4_001, made)).own).toBe("comment");
    },
  );

  test("a turn names at most fifty, and is told loudly", { timeout: 60_000 }, async () => {
    const { name, own, turn, service } = await naming();
    const at = began(turn) + 3_000;
    for (const from of [0, 20])
      expect(
        await name(
          Array.from({ length: 20 }, (_, n) => 5_000 + from + n),
          at,
        ),
      ).toMatchObject({ ok: true });
    expect(
      await name(
        Array.from({ length: 20 }, (_, n) => 5_040 + n),
        at,
      ),
    ).toMatchObject({ ok: false });
    expect((await own(5_049, at)).own).toBe("comment");
    expect((await own(5_050, at)).own).toBe("no");
    expect((await service.event("daemon.warning")).reason).toBe("too-many-posts");
  });

  test("a post is found again behind thousands of later ones", { timeout: 60_000 }, async () => {
    const { name, own, turn, service } = await naming();
    await name([4_001], began(turn) + 3_000);
    await service.parts.store.events.append(
      Array.from({ length: 1_100 }, (_, n) =>
        eventLine(service.parts, "host.posted", { fields: { comment: String(9_000 + n) } }),
      ),
    );
    expect((await own(4_001, began(turn) + 2_000)).own).toBe("comment");
  });
});

test(
  "an agent that named the next comments does not silence a person's stop half a minute later",
  { timeout: 60_000 },
  async () => {
    const world = await createWorld();
    let ahead = 0;
    const service = await world.start((parts) => ({
      ...parts,
      clock: { now: () => parts.clock.now() - ahead },
    }));
    const number = world.startIssue("{{stub:text done}}");
    await service.event("turn.done");
    const next = Math.max(...world.host.issue(number).comments.map(({ id }) => id)) + 1;
    ahead = 30_000;
    const posts = Array.from({ length: 20 }, (_, n) => ({
      surface: "conversation" as const,
      commentId: String(next + n),
    }));
    const [turn] = await service.turns();
    if (turn === undefined) throw new Error("there is no turn");
    await carryOutRequest({ kind: "posted", posts }, "turn-1-early", turn, service.parts);
    ahead = 0;
    world.host.comment(number, "loop stop", "ada");
    await until(async () => (await statusOf(service, world, number)) === "stopped", "the stop");
  },
);
