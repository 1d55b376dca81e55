import type { Turn } from "@loopwork/core/ports";
import { expect } from "vitest";
import {
  type Act,
  checks,
  closes,
  closesSession,
  labels,
  linksPull,
  opensPull,
  type Play,
  registers,
  reopens,
  says,
  type Stage,
  unlabels,
} from "./play.ts";

const itemOf = ({
  world,
  service,
  number,
}: Stage): ReturnType<Stage["service"]["parts"]["store"]["items"]["load"]> =>
  service.parts.store.items.load(world.ref(number));
const turnsOf = async ({ world, service, number }: Stage): Promise<readonly Turn[]> =>
  (await service.turns()).filter(({ workItem }) => workItem === world.ref(number));
const sessions = async (stage: Stage): Promise<readonly string[]> =>
  (await itemOf(stage)).sessions.map(
    ({ endpoint, status }) =>
      `${endpoint === stage.world.ref(stage.number) ? "issue" : "pull"} ${status}`,
  );
const told =
  (words: string) =>
  async (stage: Stage): Promise<void> =>
    expect(
      (await turnsOf(stage)).some(
        ({ state, inputs }) =>
          state === "done" && JSON.stringify(inputs.map(({ event }) => event)).includes(words),
      ),
    ).toBe(true);

const start = says("loop start");
const atWork: readonly Act[] = [start, opensPull(), linksPull];
const grants = says("loop add-collaborator @carol");

const play = (
  id: string,
  act: Act,
  decided: string | null,
  status: Play["status"],
  more: Partial<Play> = {},
): Play => ({
  id,
  of: ({ number }) => number,
  world: "usual",
  labelled: true,
  words: "Please help.",
  before: [],
  act,
  decided,
  status,
  also: () => Promise.resolve(),
  ...more,
});

/**
 * What holds beside the table of moves (docs/specification.md#lifecycle): arming, input, people,
 * addresses, pull requests, checks, and the manual way out.
 */
export const besides: readonly Play[] = [
  play("unlabelled new issue: ignored", says("Anybody there?"), "ignored: unlabelled", null, {
    labelled: false,
  }),
  play("the label arms, whoever puts it on", labels("mallory"), "noted: armed", "idle", {
    labelled: false,
    also: async (stage) => expect((await itemOf(stage)).workItem?.armed).toBe(true),
  }),
  play(
    "without the label it is not armed any more",
    unlabels("mallory"),
    "noted: disarmed",
    "idle",
    { also: async (stage) => expect((await itemOf(stage)).workItem?.armed).toBe(false) },
  ),
  play(
    "a label of somebody authorized starts nothing while a start is required",
    labels("ada"),
    "noted: armed",
    "idle",
    { labelled: false },
  ),
  play(
    "without a start being required it does",
    labels("ada"),
    "started: start-by-activity",
    "started",
    {
      world: "by-activity",
      labelled: false,
      also: async (stage) => expect(await sessions(stage)).toEqual(["issue active"]),
    },
  ),
  play(
    "an armed item that nobody started refuses input",
    says("Mind the roses."),
    "refused: not-started",
    "idle",
  ),
  play(
    "a started one is told",
    says("Mind the roses."),
    "delivered: input-of-authorized",
    "started",
    { before: [start], also: told("Mind the roses.") },
  ),
  play(
    "on a paused one it waits",
    says("Mind the roses."),
    "delivered: input-of-authorized",
    "paused",
    {
      before: [start, says("loop pause")],
      also: async (stage) =>
        expect((await turnsOf(stage)).map(({ state }) => state)).toEqual(["done", "ready"]),
    },
  ),
  play(
    "and is told when that is resumed",
    says("loop resume"),
    "resumed: resume-requested",
    "started",
    { before: [start, says("loop pause"), says("Mind the roses.")], also: told("Mind the roses.") },
  ),
  play(
    "a stopped one is told nothing",
    says("Mind the roses."),
    "ignored: not-running",
    "stopped",
    { before: [says("loop stop")] },
  ),
  play("nor is a closed one", says("Mind the roses."), "ignored: item-closed", "closed", {
    before: [start, closes("ada")],
  }),
  play(
    "a deferred closing is cleaned up",
    says("loop cleanup"),
    "cleaned-up: cleanup-requested",
    "stopped",
    {
      before: [start, closes("mallory")],
      also: async (stage) =>
        expect([(await itemOf(stage)).workItem?.closeDeferred, await sessions(stage)]).toEqual([
          false,
          [],
        ]),
    },
  ),
  play(
    "one whose closing was deferred is told nothing while it is paused",
    says("Mind the roses."),
    "delivered: input-of-authorized",
    "paused",
    {
      before: [start, closes("mallory"), says("loop pause")],
      also: async (stage) =>
        expect((await turnsOf(stage)).map(({ state }) => state)).toEqual(["done", "ready"]),
    },
  ),
  play(
    "a stop that is followed by a start opens a new session",
    start,
    "started: start-requested",
    "started",
    {
      before: [start, says("loop stop")],
      also: async (stage) =>
        expect([(await turnsOf(stage)).length, await sessions(stage)]).toEqual([
          2,
          ["issue active"],
        ]),
    },
  ),

  play(
    "a stranger's words are dropped",
    says("Mind the roses.", "mallory"),
    "ignored: stranger-dropped",
    "started",
    { before: [start] },
  ),
  play("P07: and keywords", says("loop stop", "mallory"), "ignored: stranger-dropped", "started", {
    before: [start],
  }),
  play("a bot's", says("loop stop", "helper[bot]"), "ignored: bot-not-listed", "started", {
    before: [start],
  }),
  play("a grant", grants, "granted: collaborator-granted", "started", {
    world: "granting",
    before: [start],
  }),
  play(
    "lets a collaborator speak",
    says("Mind the roses.", "carol"),
    "delivered: input-of-collaborator",
    "started",
    { world: "granted", before: [start, grants], also: told("Mind the roses.") },
  ),
  play(
    "P07: and not steer",
    says("loop stop", "carol"),
    "refused: collaborator-may-not-steer",
    "started",
    { world: "granted", before: [start, grants] },
  ),
  play("P07: nor close", closes("carol"), "close-deferred: closed-by-unauthorized", "started", {
    world: "granted",
    before: [start, grants],
  }),
  play(
    "until it is revoked",
    says("loop remove-collaborator @carol"),
    "revoked: collaborator-revoked",
    "started",
    {
      world: "granted",
      before: [start, grants],
      also: async (stage) => expect((await itemOf(stage)).collaborators).toEqual([]),
    },
  ),
  play("or the item closes", closes("ada"), "closed: closed-by-authorized", "closed", {
    world: "granted",
    before: [start, grants],
    also: async (stage) => expect((await itemOf(stage)).collaborators).toEqual([]),
  }),
  play(
    "P06: a grant of what is no login",
    says("loop add-collaborator @practice/all"),
    "refused: login-off-grammar",
    "started",
    { before: [start] },
  ),

  play(
    "P02: two keywords mean nothing",
    says("loop stop\nloop pause"),
    "refused: ambiguous-keywords",
    "started",
    { before: [start] },
  ),
  play(
    "P05: two addresses mean nothing",
    says("loop stop instance:default instance:other"),
    "refused: ambiguous-addresses",
    "started",
    { before: [start] },
  ),
  play(
    "a keyword to us",
    says("loop stop instance:default"),
    "stopped: stop-requested",
    "stopped",
    { before: [start] },
  ),
  play(
    "S10: one to another instance",
    says("loop stop instance:other"),
    "refused: addressed-elsewhere",
    "started",
    { before: [start] },
  ),
  play(
    "P04: an edit carries no keyword",
    edits("loop start"),
    "refused: keyword-not-in-created",
    "idle",
    { before: [says("Hello.")] },
  ),

  play(
    "a review reaches the issue's session",
    reviews("More water."),
    "delivered: input-of-authorized",
    "started",
    { before: atWork, also: told("More water.") },
  ),
  play(
    "and a comment on the diff",
    commentsOnLine("Less here."),
    "delivered: input-of-authorized",
    "started",
    { before: atWork, also: told("Less here.") },
  ),
  play(
    "and one on the pull request",
    ({ world, pull }) => world.host.comment(pull, "Why so?", "ada"),
    "delivered: input-of-authorized",
    "started",
    { before: atWork, also: told("Why so?") },
  ),
  play("and a check that fails", checks("failure"), "delivered: ci-first-failure", "started", {
    before: atWork,
  }),
  play("and its recovery", checks("success"), "delivered: ci-recovered", "started", {
    before: [...atWork, checks("failure")],
  }),
  play("and a commit status", checks("error", "status"), "delivered: ci-first-failure", "started", {
    before: atWork,
  }),
  play(
    "S07: a merge leaves the issue's session at work, and is told",
    ({ world, pull }) => world.host.mergePull(pull, "ada"),
    "delivered: activity-of-session",
    "started",
    {
      before: atWork,
      also: async (stage) => expect(await sessions(stage)).toEqual(["issue active"]),
    },
  ),
  play(
    "S07: whoever closes a pull request with a session of its own ends that one alone",
    ({ world, pull }) => world.host.closeIssue(pull, "mallory"),
    "closed: pull-request-closed",
    "started",
    {
      before: [...atWork, registers("pull")],
      also: async (stage) => expect(await sessions(stage)).toEqual(["issue active", "pull closed"]),
    },
  ),
  play(
    "a start on the pull request starts the issue",
    ({ world, pull }) => world.host.comment(pull, "loop start", "ada"),
    "started: start-requested",
    "started",
    {
      before: [opensPull(), linksPull],
      also: async (stage) => expect(await sessions(stage)).toEqual(["issue active"]),
    },
  ),
  play(
    "a labelled pull request of no issue is a work item of its own",
    ({ world, pull }) => world.host.comment(pull, "loop start", "ada"),
    "started: start-requested",
    "started",
    { before: [opensAlone], of: ({ pull }) => pull },
  ),

  play("`sessions close` is the manual way out", closesSession, null, "started", {
    before: [start],
    also: async (stage) => expect(await sessions(stage)).toEqual(["issue closed"]),
  }),
  play(
    "reopening what was closed while paused pauses it again",
    reopens("ada"),
    "reopened: reopened",
    "paused",
    {
      before: [start, says("loop pause"), closes("ada")],
      also: async (stage) =>
        expect((await itemOf(stage)).lanes.map(({ hold }) => hold?.reason)).toEqual(["paused"]),
    },
  ),
];

function reviews(body: string): Act {
  return ({ world, pull }) =>
    world.host.review(pull, { state: "changes_requested", body, by: "ada" });
}

function commentsOnLine(body: string): Act {
  return ({ world, number, pull }) =>
    world.host.commentOnLine(pull, { body, path: `water-${number}.txt`, by: "ada" });
}

/** The issue's first comment is changed by its author. */
function edits(to: string): Act {
  return ({ world, number }) =>
    world.host.editComment(world.host.issue(number).comments[0]?.id ?? 0, to, "ada");
}

async function opensAlone(stage: Stage): Promise<void> {
  const { world, number } = stage;
  await world.host.commit({
    branch: `garden-${number}`,
    message: "Water",
    files: { [`water-${number}.txt`]: "wet\n" },
    by: "loop-agent",
  });
  stage.pull = (
    await world.host.openPull({
      title: "Water",
      head: `garden-${number}`,
      by: "loop-agent",
      labels: ["loop: auto-execute"],
    })
  ).number;
}
