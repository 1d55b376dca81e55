import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { turnedAway } from "../../src/decide/event-filter.ts";
import { loginSet } from "../../src/accounts/account.ts";
import {
  asksForOwn,
  type LookedUp,
  type Guests,
  mayBeHeard,
  ownActivity,
  type OwnEvidence,
  ownOfNobody,
} from "../../src/decide/lookup-facts.ts";
import type { Policy } from "../../src/config/policy.ts";
import { redecide, type Replayed } from "../../src/decide/replay.ts";
import { wantsConfirming } from "../../src/decide/lifecycle-facts.ts";
import type { AgentAtWork, State } from "../../src/decide/state.ts";
import { asksForGrant } from "../../src/decide/grant.ts";
import { settle } from "../../src/flow.ts";
import type { InboundEvent } from "../../src/event/event.ts";
import {
  activityEvent,
  alice,
  carol,
  ciEvent,
  commentEvent,
  controlEvent,
  labelEvent,
  mallory,
  pullRequestOf,
} from "../../src/testing/build-event.ts";
import { itemOf, linkOf, policyOf, sessionOf, stateOf } from "../../src/testing/build-state.ts";
import { emptyItemState, type ItemState } from "../../src/work-item/records.ts";
import { formatRef, type Ref, type RefText } from "../../src/ref/ref.ts";
import type { Familiarity } from "../../src/control/relevance.ts";
import { questionsOf } from "../../src/linking/questions.ts";
import type { LookupAnswers, KnownAuthor } from "../../src/linking/lookups.ts";
import { noAnswers, refsToLoad, resolve, wantsAuthor } from "../../src/linking/resolve.ts";
import { events, itemStates, policies } from "./arbitraries.ts";

const refOf = (number: number): Ref => ({ host: null, owner: "octo", repo: "shop", number });
const textOf = (number: number): RefText => formatRef(refOf(number));

/**
 * All that could be found out when an event came. What of it is looked up depends on the
 * configuration. Sessions may have come between reading and deciding.
 */
type World = {
  readonly items: ReadonlyMap<RefText, ItemState>;
  readonly records: Pick<LookupAnswers, "linked" | "heads" | "owners">;
  readonly author: KnownAuthor;
  readonly host: {
    readonly closing: readonly Ref[];
    readonly head: LookupAnswers["head"];
    readonly heads: readonly RefText[];
  };
  readonly evidence: OwnEvidence;
  readonly sessionsCame: boolean;
  readonly atWork: AgentAtWork | null;
  readonly confirmed: boolean;
  readonly rest: Pick<State, "pinnedActorId" | "seenAs" | "ownedBy" | "now" | "own">;
};

/**
 * What the shell reads of it under a policy: the same questions in the same order
 * (runtime/src/ingest.ts).
 */
function stateIn(world: World, event: InboundEvent, policy: Policy): State {
  const { now, ownedBy, pinnedActorId, seenAs } = world.rest;
  if (turnedAway(event, policy) !== null)
    return {
      target: null,
      item: emptyItemState,
      own: "no",
      pinnedActorId: null,
      seenAs: null,
      ownedBy: null,
      now,
    };
  const familiarity = familiarityIn(world, event);
  const questions = questionsOf(event, policy, familiarity);
  const nothing = questions.pullRequests.length === 0 && questions.headSha === null;
  const known = { ...world.records, closing: [], head: null };
  const unheard =
    !nothing &&
    known.linked.length === 0 &&
    known.heads.length === 0 &&
    questions.ask !== "nothing" &&
    !mayBeHeard(event, policy, guestsIn(world));
  const silent =
    unheard ||
    nothing ||
    known.linked.length > 0 ||
    known.heads.length > 0 ||
    questions.ask === "nothing";
  const told: Omit<LookupAnswers, "items"> = nothing
    ? noAnswers
    : silent
      ? known
      : questions.ask === "pull-requests-of-commit"
        ? { ...known, heads: world.host.heads }
        : {
            ...known,
            closing: world.host.closing,
            head: questions.ask === "closing-references-and-head" ? world.host.head : null,
          };
  const loaded = nothing ? [] : refsToLoad(questions, told);
  const answers = {
    ...told,
    ...(!nothing && !unheard && wantsAuthor(questions, told, policy)
      ? { author: world.author }
      : {}),
    items: loaded.flatMap((ref) => world.items.get(ref) ?? []),
  };
  const target = resolve(event, answers, policy, questions);
  const item =
    target === null
      ? emptyItemState
      : (world.items.get(formatRef(target.workItem)) ?? emptyItemState);
  const hadSession =
    !world.sessionsCame &&
    item.sessions.some(({ status, workdir }) => status !== "closed" && workdir !== null);
  const evidence =
    target !== null && asksForOwn(event, policy)
      ? hadSession
        ? world.evidence
        : ownOfNobody
      : null;
  const own =
    event.kind === "comment"
      ? world.rest.own
      : evidence === null
        ? "no"
        : ownActivity(evidence, event, policy);
  const confirmed =
    wantsConfirming(event, target, policy) && (item.workItem?.hostId ?? null) === null
      ? world.confirmed
      : null;
  const found: LookedUp | null =
    nothing && evidence === null
      ? null
      : {
          answers,
          asked: silent ? "nothing" : questions.ask,
          loaded,
          ...(familiarity === "new" ? { repository: familiarity } : {}),
          ...(unheard ? { unheard } : {}),
          confirmed,
          own: evidence,
        };
  return {
    target,
    item,
    own,
    pinnedActorId,
    seenAs,
    ownedBy,
    now,
    ...(found === null ? {} : { found }),
    ...(target !== null && asksForGrant(event, policy) ? { agentAtWork: world.atWork } : {}),
    ...(confirmed === true ? { branchConfirmed: true } : {}),
  };
}

function guestsIn({ items }: World): Guests {
  const granted = [...items.values()].flatMap(({ collaborators }) => collaborators);
  return {
    logins: loginSet(granted.map(({ login }) => login)),
    ids: new Set(granted.flatMap(({ id }) => id ?? [])),
  };
}

function familiarityIn({ items, records }: World, event: InboundEvent): Familiarity {
  if (event.kind === "control" || (event.kind !== "ci" && event.item.type === "issue"))
    return "known";
  return items.size > 0 ||
    records.linked.length > 0 ||
    records.owners.length > 0 ||
    records.heads.length > 0
    ? "known"
    : "new";
}

/** The row of a decision as the store gives it back. */
function rowIn(world: World, event: InboundEvent, policy: Policy): Parameters<typeof redecide>[0] {
  const { state, decision } = settle(event, stateIn(world, event, policy), policy);
  return JSON.parse(JSON.stringify({ event, state, decision })) as Parameters<typeof redecide>[0];
}

const numbers = fc.constantFrom(7, 8, 12);
const known = fc
  .uniqueArray(fc.tuple(numbers, itemStates), { maxLength: 3, selector: ([number]) => number })
  .map(
    (entries) => new Map(entries.map(([number, item]) => [textOf(number), movedTo(item, number)])),
  );
const worlds: fc.Arbitrary<World> = fc.record({
  items: known,
  records: fc.record({
    linked: fc.subarray([textOf(7), textOf(8)]),
    heads: fc.subarray([textOf(8)]),
    owners: fc.subarray(
      [
        { endpoint: textOf(12), workItem: textOf(7) },
        { endpoint: textOf(12), workItem: textOf(12) },
      ],
      { maxLength: 1 },
    ),
  }),
  host: fc.record({
    closing: fc.subarray([refOf(7), refOf(8)]),
    head: fc.option(
      fc.record({
        branch: fc.constantFrom("issue-7", "issue-8", "x"),
        sameRepository: fc.boolean(),
        author: fc.constantFrom(null, alice, mallory),
      }),
      { nil: null },
    ),
    heads: fc.subarray([textOf(7), textOf(8)]),
  }),
  author: fc.record({
    pinned: fc.constantFrom(null, null, "1", "3").map((id) => ({ id, as: [] })),
    own: fc.boolean(),
  }),
  evidence: fc.record({ inCheckout: fc.boolean(), byOwnLogin: fc.boolean() }),
  sessionsCame: fc.boolean(),
  atWork: fc.constantFrom(null, { own: alice }, { own: null }),
  confirmed: fc.boolean(),
  rest: fc.record({
    pinnedActorId: fc.constantFrom(null, null, "1", "3"),
    seenAs: fc.constantFrom(null, null, null, "first"),
    ownedBy: fc.constantFrom(null, null, "other"),
    own: fc.constantFrom("no" as const, "comment" as const),
    now: fc.constant(stateOf().now),
  }),
});
const rules: fc.Arbitrary<Policy> = fc
  .tuple(
    policies,
    fc.record({
      enabled: fc.constantFrom(true, true, true, false),
      authorizedUsers: fc.subarray(["alice", "mallory"]).map((names) => new Set(names)),
      repositories: fc
        .constantFrom([], [], ["octo/shop"], ["octo/other"])
        .map((names) => new Set(names)),
      trustForkBranches: fc.boolean(),
      autoExecuteLabel: fc.constantFrom("loop: auto-execute", "bug"),
    }),
  )
  .map(([policy, over]) => ({ ...policy, ...over }));

function movedTo(item: ItemState, number: number): ItemState {
  const ref = textOf(number);
  return {
    ...item,
    workItem: item.workItem === null ? null : { ...item.workItem, ref },
    sessions: item.sessions.map((session) => ({ ...session, workItem: ref })),
  };
}

describe("deciding a log anew", () => {
  it("under the policy of that time gives identical bytes", () => {
    fc.assert(
      fc.property(worlds, events, rules, (world, event, policy) => {
        expect(redecide(rowIn(world, event, policy), policy)).toEqual({ kind: "same" });
      }),
      { numRuns: 6000 },
    );
  });

  it("under another policy comes to what would have been decided then, or says that it cannot tell", () => {
    const kinds = new Map<string, number>();
    fc.assert(
      fc.property(worlds, events, rules, rules, (world, event, then, other) => {
        const row = rowIn(world, event, then);
        const anew = redecide(row, other);
        kinds.set(anew.kind, (kinds.get(anew.kind) ?? 0) + 1);
        if (anew.kind === "unknown") return;
        const { decision } = settle(event, stateIn(world, event, other), other);
        expect(JSON.stringify(anew.kind === "same" ? row.decision : anew.decision)).toBe(
          JSON.stringify(decision),
        );
      }),
      { numRuns: 12_000 },
    );
    for (const kind of ["same", "changed", "unknown"]) expect(kinds.get(kind)).toBeGreaterThan(500);
  });

  it("changes nothing that it was given", () => {
    fc.assert(
      fc.property(worlds, events, rules, rules, (world, event, then, other) => {
        const row = rowIn(world, event, then);
        const before = JSON.stringify(row);
        redecide(row, other);
        expect(JSON.stringify(row)).toBe(before);
      }),
      { numRuns: 1000 },
    );
  });
});

describe("what another policy changes", () => {
  const plain = (over: Partial<World> = {}): World => ({
    items: new Map(),
    records: { linked: [], heads: [], owners: [] },
    author: { pinned: { id: null, as: [] }, own: false },
    host: { closing: [], head: null, heads: [] },
    evidence: { inCheckout: false, byOwnLogin: false },
    sessionsCame: false,
    atWork: null,
    confirmed: true,
    rest: { pinnedActorId: null, seenAs: null, ownedBy: null, own: "no", now: stateOf().now },
    ...over,
  });
  const working = new Map([
    [textOf(7), itemOf("started", { sessions: [sessionOf()], pullRequests: [linkOf()] })],
  ]);
  const replay = (
    world: World,
    event: InboundEvent,
    then: Partial<Policy>,
    other: Partial<Policy>,
  ): Replayed => redecide(rowIn(world, event, policyOf(then)), policyOf(other));

  it("a stranger becomes somebody: what is added and what is gone", () => {
    const anew = replay(
      plain({ items: working }),
      commentEvent("go on", { by: mallory }),
      {},
      { authorizedUsers: new Set(["mallory"]) },
    );
    expect(anew).toMatchObject({
      kind: "changed",
      decision: { verdict: { kind: "delivered" }, reason: "input-of-authorized" },
      gone: [],
      added: [{ kind: "turn", mode: "resume" }],
    });
    expect(
      replay(
        plain({ items: working }),
        commentEvent("loop stop"),
        {},
        { authorizedUsers: new Set() },
      ),
    ).toMatchObject({
      kind: "changed",
      decision: { reason: "stranger-dropped" },
      added: [],
      gone: [{ kind: "react" }, { kind: "drop-turns" }, { kind: "end-session" }, { kind: "react" }],
    });
  });

  it("what the host told counts only where the host would be asked", () => {
    const told = plain({
      host: {
        closing: [{ host: null, owner: "octo", repo: "shop", number: 8 }],
        head: null,
        heads: [],
      },
      items: new Map([[textOf(8), movedTo(itemOf("started"), 8)]]),
    });
    const event = labelEvent({ item: pullRequestOf({ body: "", branches: null }) });
    const row = rowIn(told, event, policyOf());
    const other = policyOf({ autoExecuteLabel: "bug" });
    expect(row.state?.target?.workItem.number).toBe(8);
    expect(stateIn(told, event, other).target?.workItem.number).toBe(12);
    expect(redecide(row, other)).toMatchObject({
      kind: "changed",
      decision: settle(event, stateIn(told, event, other), other).decision,
    });
  });

  it("a grant comes to be, where somebody looked whether an agent was at work, and on the command line, where none can be", () => {
    for (const event of [
      commentEvent("loop add-collaborator @dave"),
      controlEvent({ verb: "add-collaborator", login: "dave", instance: null }),
    ]) {
      expect(
        replay(
          plain({ items: working }),
          event,
          { authorizedUsers: new Set(["alice", "dave"]) },
          {},
        ),
      ).toMatchObject({ kind: "changed", decision: { reason: "collaborator-granted" } });
    }
  });

  it("what the session did itself counts for the work item that somebody looked at, and for no other", () => {
    const fork = {
      head: "issue-8",
      headSha: "a".repeat(40),
      headRepository: "carol/shop",
      base: "main",
      sameRepository: false,
    };
    const event = activityEvent({
      action: "edited",
      item: pullRequestOf({ author: carol, body: "", branches: fork }),
    });
    const eighth = movedTo(itemOf("started", { sessions: [sessionOf()] }), 8);
    const world = plain({
      records: { linked: [], heads: [], owners: [{ endpoint: textOf(12), workItem: textOf(7) }] },
      items: new Map([...working, [textOf(8), eighth]]),
      evidence: { inCheckout: true, byOwnLogin: false },
    });
    const both = { authorizedUsers: new Set(["alice", "carol"]) };
    expect(rowIn(world, event, policyOf(both)).decision.reason).toBe("own-activity");
    expect(replay(world, event, both, {})).toEqual({
      kind: "unknown",
      open: { question: "own-activity", about: textOf(7) },
    });
  });

  const seven = pullRequestOf({ labels: ["loop: auto-execute"] });
  const spokenOf = new Map([[textOf(7), itemOf("idle", { workItem: { hostId: null } })]]);
  const eight = new Map([[textOf(8), movedTo(itemOf("started"), 8)]]);
  const [itself, wake] = [{ requireStartCommand: false }, { ownActivity: "wake" } as const];
  it.each<[string, World, InboundEvent, Partial<Policy>, Partial<Policy>, string]>([
    [
      "the host told which issue the pull request closes, and is asked still",
      plain({ items: eight, host: { closing: [refOf(8)], head: null, heads: [] } }),
      commentEvent("go on", { item: pullRequestOf({ branches: null }) }),
      {},
      {},
      "input-of-authorized",
    ],
    [
      "a check belongs to nothing",
      plain({ items: working }),
      ciEvent({ headSha: "b".repeat(40), headBranch: null, pullRequests: [] }),
      {},
      {},
      "ci-no-pull-request",
    ],
    [
      "the host has the issue of the branch",
      plain(),
      commentEvent("loop start", { item: seven }),
      {},
      {},
      "start-requested",
    ],
    [
      "the host does not have it",
      plain({ confirmed: false }),
      commentEvent("loop start", { item: seven }),
      {},
      {},
      "link-unconfirmed",
    ],
    [
      "the host is not asked for it, the pull request having no label",
      plain({ items: spokenOf }),
      commentEvent("loop start", { item: pullRequestOf() }),
      {},
      {},
      "link-unconfirmed",
    ],
    [
      "it would be asked for it now, and whatever it said changed nothing",
      plain(),
      commentEvent("loop pause", { item: pullRequestOf({ labels: ["bug"] }) }),
      {},
      { autoExecuteLabel: "bug" },
      "pause-requested",
    ],
    [
      "a label starts the item and nobody asks whose doing that was",
      plain(),
      labelEvent(),
      { ...itself, ...wake },
      { ...itself, ...wake },
      "start-by-activity",
    ],
    [
      "somebody would ask now, and no session could have done it",
      plain(),
      labelEvent(),
      { ...itself, ...wake },
      itself,
      "start-by-activity",
    ],
  ])("nothing, where %s", (_name, world, event, then, other, reason) => {
    expect(rowIn(world, event, policyOf(then)).decision.reason).toBe(reason);
    expect(replay(world, event, then, other)).toEqual({ kind: "same" });
  });

  it.each<[string, World, InboundEvent, Partial<Policy>, Partial<Policy>, object]>([
    [
      "routing was off: nothing was looked up",
      plain({ items: working }),
      commentEvent("go on"),
      { enabled: false },
      {},
      { question: "anything", about: null },
    ],
    [
      "the label means something now: the host was not asked what the pull request closes",
      plain(),
      labelEvent({ item: pullRequestOf(), label: "bug" }),
      {},
      { autoExecuteLabel: "bug" },
      { question: "closing-references", about: null },
    ],
    [
      "the same of a comment, whose payload does not tell the branch either",
      plain(),
      commentEvent("go on", { item: pullRequestOf({ labels: ["bug"], branches: null }) }),
      {},
      { autoExecuteLabel: "bug" },
      { question: "closing-references", about: null },
    ],
    [
      "the same of a stranger's, of whom nobody noted that no item heard them",
      plain(),
      commentEvent("go on", { by: mallory, item: pullRequestOf({ labels: ["bug"] }) }),
      {},
      { autoExecuteLabel: "bug" },
      { question: "closing-references", about: null },
    ],
    [
      "checks wake now: the host was not asked for the commit",
      plain({ items: working }),
      ciEvent({ pullRequests: [], headBranch: null }),
      { ciWakeOn: "never" },
      {},
      { question: "pull-requests-of-commit", about: null },
    ],
    [
      "forks count for nothing any more: nobody looked who opened the pull request",
      plain(),
      commentEvent("loop start", {
        item: pullRequestOf({
          author: mallory,
          branches: {
            head: "issue-8",
            headSha: "a".repeat(40),
            headRepository: "mallory/shop",
            base: "main",
            sameRepository: false,
          },
        }),
      }),
      { trustForkBranches: true },
      {},
      { question: "author-of-pull-request", about: null },
    ],
    [
      "the label means something now: the host was not asked for the issue of the branch",
      plain({ records: { linked: [], heads: [], owners: [] } }),
      commentEvent("loop start", { item: pullRequestOf({ labels: ["bug"] }) }),
      {},
      { autoExecuteLabel: "bug" },
      { question: "issue-of-branch", about: textOf(7) },
    ],
    [
      "another keyword grants now: nobody looked whether an agent was at work",
      plain({ items: working }),
      commentEvent("let in @dave"),
      {},
      { keywords: { ...policyOf().keywords, "add-collaborator": "let in" } },
      { question: "turn-of-item", about: textOf(7) },
    ],
    [
      "own activity counts now: nobody looked whose it was",
      plain({ items: working }),
      activityEvent({ action: "edited", by: alice }),
      { ownActivity: "wake" },
      {},
      { question: "own-activity", about: textOf(7) },
    ],
  ])("cannot be told where %s", (_name, world, event, then, other, open) => {
    expect(replay(world, event, then, other)).toEqual({ kind: "unknown", open });
  });

  it("cannot be told of a decision that is older than the record of lookups, where there were any", () => {
    const row = rowIn(plain(), commentEvent("x", { item: pullRequestOf() }), policyOf());
    expect(row.state !== null && Reflect.deleteProperty(row.state, "found")).toBe(true);
    expect(redecide(row, policyOf())).toEqual({
      kind: "unknown",
      open: { question: "lookups", about: null },
    });
  });

  it("a grant of a version that did not look whether an agent was at work stands as it was", () => {
    const row = rowIn(
      plain({ items: working }),
      commentEvent("loop add-collaborator @dave"),
      policyOf(),
    );
    expect(row.state !== null && Reflect.deleteProperty(row.state, "agentAtWork")).toBe(true);
    expect(redecide(row, policyOf())).toEqual({ kind: "same" });
  });

  it("what was not understood stays so", () => {
    expect(
      redecide(
        {
          event: null,
          state: null,
          decision: {
            verdict: { kind: "rejected", why: "shape" },
            reason: "payload-rejected",
            effects: [],
          },
        },
        policyOf({ enabled: false }),
      ),
    ).toEqual({ kind: "same" });
  });
});
