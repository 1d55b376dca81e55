import type { UnansweredQuestion } from "@loopwork/core";
import { type CodeHost, CodeHostError, formatRef, type RefText } from "@loopwork/core/ports";
import { describe, expect, test } from "vitest";
import type { RuntimeParts } from "@loopwork/runtime";
import { createWorld, type Service, type World } from "../support/world.ts";
import { until } from "../support/until.ts";

/**
 * The service with a host of which some questions go another way, and another time limit for each
 * question, in milliseconds.
 */
function withQuestions(
  change: (host: CodeHost) => Partial<CodeHost>,
  limitMs = 5_000,
): (parts: RuntimeParts) => RuntimeParts {
  return (parts) => ({
    ...parts,
    host: { ...parts.host, ...change(parts.host) },
    timers: {
      ...parts.timers,
      after: (ms, call) => parts.timers.after(ms === 5_000 ? limitMs : ms, call),
    },
  });
}

/** So many pull requests, each an event whose work item only the host would know. */
async function pulls(world: World, count: number): Promise<void> {
  for (let n = 0; n < count; n++) {
    await world.host.commit({
      branch: `work-${n}`,
      message: "work",
      files: { [`${n}.txt`]: "x\n" },
      by: "ada",
    });
    await world.host.openPull({ title: `Pull ${n}`, head: `work-${n}`, by: "ada" });
  }
  await world.host.idle();
}

/**
 * Lets the repository be one in which something is at work: of others the host is asked nothing
 * that nobody could hear.
 */
async function known({ parts }: Service): Promise<void> {
  const ref = (number: number): RefText =>
    formatRef({ host: null, owner: "practice", repo: "garden", number });
  const link = { pullRequest: ref(901), headSha: null, headBranch: null, open: true, at: 0 };
  await parts.store.items.update(ref(900), (item) => ({
    after: { ...item, pullRequests: [link] },
    lines: [],
  }));
}

async function facts(service: Service): Promise<readonly (readonly UnansweredQuestion[])[]> {
  await until(async () => (await service.parts.store.stats()).undecided === 0, "every decision");
  const entries = await service.parts.store.log.list({ limit: 100 });
  const rows = await Promise.all(entries.map(({ id }) => service.parts.store.log.decision(id)));
  return rows.map((row) => row?.state?.unanswered ?? []);
}

const never = <T>(): Promise<T> => new Promise<T>(() => {});

describe("a host that does not answer while events are decided", () => {
  test(
    "each question has its time, after three nobody asks, and the decisions say what stayed open",
    { timeout: 60_000 },
    async () => {
      const world = await createWorld();
      let asked = 0;
      const service = await world.start(
        withQuestions(() => ({ closingReferences: () => ((asked += 1), never()) }), 50),
      );
      await known(service);
      await pulls(world, 8);
      expect(await facts(service)).toEqual(
        Array.from({ length: 8 }, (_, n) => [
          { question: "closing-references", why: n < 3 ? "LOOP_E_HOST_UNREACHABLE" : "not-asked" },
        ]),
      );
      expect(asked).toBe(3);
      expect(await service.event("host.silent")).toMatchObject({
        level: "warn",
        reason: "LOOP_E_HOST_UNREACHABLE",
      });
      expect((await world.scene.loop("status")).out).toContain("The code host stopped answering");
      const [first] = await service.parts.store.log.list({ limit: 1 });
      expect((await world.scene.loop("why", first?.id ?? "")).out).toContain(
        "was asked and did not tell which issues the pull request closes (LOOP_E_HOST_UNREACHABLE)",
      );
    },
  );

  test(
    "it is asked again once the rest is over; an answer ends it, a failure doubles it",
    { timeout: 60_000 },
    async () => {
      const world = await createWorld();
      let [asked, away, now] = [0, true, Date.now()];
      const service = await world.start((parts) => ({
        ...withQuestions(({ closingReferences }) => ({
          closingReferences: (ref) => (
            (asked += 1),
            away
              ? Promise.reject(new CodeHostError("LOOP_E_HOST_SERVER", "502", 30_000))
              : closingReferences(ref)
          ),
        }))(parts),
        clock: { now: () => now },
      }));
      const decided = async (
        count: number,
      ): Promise<readonly (readonly UnansweredQuestion[])[]> => {
        await until(
          async () => (await service.parts.store.log.list({ limit: 100 })).length === count,
          `${count} deliveries`,
        );
        return facts(service);
      };
      const commented = async (): Promise<void> => {
        world.host.review(1, { state: "approved", body: "fine", by: "ada" });
        await world.host.idle();
      };
      await known(service);
      await pulls(world, 3);
      await decided(3);
      await commented();
      expect((await decided(4)).at(-1)).toMatchObject([{ why: "not-asked" }]);
      now += 30_000;
      await commented();
      expect((await decided(5)).at(-1)).toMatchObject([{ why: "LOOP_E_HOST_SERVER" }]);
      now += 29_000;
      await commented();
      expect((await decided(6)).at(-1)).toMatchObject([{ why: "not-asked" }]);
      away = false;
      now += 1_000;
      await commented();
      expect((await decided(7)).at(-1)).toEqual([]);
      expect(asked).toBe(5);
      await service.event("host.answering");
      expect(await service.events("host.silent")).toHaveLength(1);
    },
  );

  test(
    "`there is none` and `you may not` are answers, and no token is no failure",
    { timeout: 60_000 },
    async () => {
      const world = await createWorld();
      const codes = [
        "LOOP_E_HOST_NOT_FOUND",
        "LOOP_E_HOST_FORBIDDEN",
        "LOOP_E_HOST_NO_TOKEN",
        "LOOP_E_HOST_GONE",
        "LOOP_E_HOST_REFUSED",
      ] as const;
      let asked = 0;
      const service = await world.start(
        withQuestions(() => ({
          closingReferences: () =>
            Promise.reject(new CodeHostError(codes[asked++] ?? codes[0], "no")),
        })),
      );
      await known(service);
      await pulls(world, 5);
      expect((await facts(service)).map(([one]) => one?.why ?? null)).toEqual([
        "LOOP_E_HOST_NOT_FOUND",
        "LOOP_E_HOST_FORBIDDEN",
        null,
        "LOOP_E_HOST_GONE",
        "LOOP_E_HOST_REFUSED",
      ]);
      expect(asked).toBe(5);
      expect(await service.events("host.silent")).toEqual([]);
    },
  );
});

describe("a repository of which nothing is on record", () => {
  test("costs no question until something of it is at work", { timeout: 60_000 }, async () => {
    const world = await createWorld();
    let asked = 0;
    const service = await world.start(
      withQuestions(({ closingReferences }) => ({
        closingReferences: (ref) => ((asked += 1), closingReferences(ref)),
      })),
    );
    await pulls(world, 3);
    expect(await facts(service)).toEqual([[], [], []]);
    expect(asked).toBe(0);
    await known(service);
    world.host.review(1, { state: "approved", body: "fine", by: "ada" });
    await world.host.idle();
    await facts(service);
    expect(asked).toBe(1);
  });
});

describe("an issue to which only the branch points", () => {
  const scene = async (
    change: (host: CodeHost) => Partial<CodeHost>,
    open = true,
    limitMs = 5_000,
  ): Promise<{ readonly service: Service; readonly number: number }> => {
    const world = await createWorld();
    const { number } = world.host.openIssue({ title: "Water", by: "ben" });
    if (!open) world.host.closeIssue(number, "ben");
    await world.host.commit({
      branch: `issue-${number}`,
      message: "work",
      files: { "a.txt": "x\n" },
      by: "ada",
    });
    const service = await world.start(withQuestions(change, limitMs));
    const pull = await world.host.openPull({
      title: "Water it",
      head: `issue-${number}`,
      labels: ["loop: auto-execute"],
      by: "ada",
    });
    world.host.comment(pull.number, "loop start", "ada");
    await world.host.idle();
    await facts(service);
    return { service, number };
  };
  const started = async ({ service }: { readonly service: Service }): Promise<string | null> =>
    (await service.events("delivery.decided")).find(
      ({ fields }) => fields["event"] === "issue_comment" && fields["actor"] === "ada",
    )?.reason ?? null;

  test("is spawned on when the host has it, open", { timeout: 60_000 }, async () => {
    expect(await started(await scene(() => ({})))).toBe("start-requested");
  });

  test(
    "is not, when it is closed, when there is none, or when the host does not tell",
    { timeout: 90_000 },
    async () => {
      expect(await started(await scene(() => ({}), false))).toBe("link-unconfirmed");
      expect(await started(await scene(() => ({ issue: () => Promise.resolve(null) })))).toBe(
        "link-unconfirmed",
      );
      expect(await started(await scene(() => ({ issue: () => never() }), true, 3_000))).toBe(
        "link-unconfirmed",
      ); // Time enough for what does answer.
    },
  );
});
