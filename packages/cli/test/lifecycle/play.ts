import type { ControlStatus } from "@loopwork/core/ports";
import type { Service, World } from "../support/world.ts";

/**
 * Where a play is on: a world of its kind, an issue of its own, and its pull request once there is
 * one.
 */
export type Stage = {
  readonly world: World;
  readonly service: Service;
  readonly number: number;
  pull: number;
};

/**
 * One thing that somebody does, on the host or on this machine. What the host hears of is taken in
 * before the next.
 */
export type Act = (stage: Stage) => unknown;

/**
 * Configurations of a world. `held`: one turn uses the budget up. `uncertain`: nobody can tell how
 * an interrupted turn ended. A grant does not count while any turn runs, so that in `granting` and
 * `granted` everybody grants at once.
 */
export type WorldKind =
  | "usual"
  | "granting"
  | "granted"
  | "spawning-off"
  | "held"
  | "uncertain"
  | "by-activity";

/** One transition: what leads up to it, the act that is it, and what must have come of it. */
export type Play = {
  readonly id: string;
  /** Number of the work item that it is about: the issue's own, unless said otherwise. */
  readonly of: (stage: Stage) => number;
  readonly world: WorldKind;
  readonly labelled: boolean;
  readonly words: string;
  readonly before: readonly Act[];
  readonly act: Act;
  /**
   * Verdict and reason of the decision, such as `started: start-requested`; null where nothing is
   * decided.
   */
  readonly decided: string | null;
  /** Status of the work item afterwards; null where none is on record. */
  readonly status: ControlStatus | null;
  /** What else is to be seen. */
  readonly also: (stage: Stage) => Promise<unknown>;
};

export const says =
  (text: string, by = "ada"): Act =>
  ({ world, number }) =>
    world.host.comment(number, text, by);
export const closes =
  (by: string): Act =>
  ({ world, number }) =>
    world.host.closeIssue(number, by);
export const reopens =
  (by: string): Act =>
  ({ world, number }) =>
    world.host.reopenIssue(number, by);
export const labels =
  (by: string): Act =>
  ({ world, number }) =>
    world.host.label(number, "loop: auto-execute", by);
export const unlabels =
  (by: string): Act =>
  ({ world, number }) =>
    world.host.unlabel(number, "loop: auto-execute", by);

/**
 * A pull request from a branch that is named after an issue; it is recorded against the play's
 * issue unless it stands alone.
 */
export const opensPull =
  (how: { readonly branch?: (number: number) => number; readonly labelled?: boolean } = {}): Act =>
  async (stage) => {
    const { world, number } = stage;
    const head = `issue-${how.branch?.(number) ?? number}`;
    await world.host.commit({
      branch: head,
      message: "Water",
      files: { [`water-${number}.txt`]: "wet\n" },
      by: "loop-agent",
    });
    const pull = await world.host.openPull({
      title: "Water",
      head,
      by: "loop-agent",
      labels: how.labelled === true ? ["loop: auto-execute"] : [],
    });
    stage.pull = pull.number;
  };

export const linksPull: Act = ({ world, number, pull }) =>
  runs(
    world,
    "sessions",
    "link-pr",
    "--work-item",
    world.ref(number),
    "--pull-request",
    String(pull),
  );
export const closesSession: Act = ({ world, number }) =>
  runs(world, "sessions", "close", world.ref(number));

/** Somebody hands a conversation of theirs over, for the issue or for its pull request. */
export const registers =
  (place: "issue" | "pull"): Act =>
  ({ world, number, pull }) => {
    const at = place === "issue" ? number : pull;
    return runs(
      world,
      "sessions",
      "register",
      "--work-item",
      world.ref(at),
      "--harness-session-id",
      `00000000-0000-4000-8000-${String(at).padStart(12, "0")}`,
    );
  };

/** A commit of the pull request's head fails or passes a check. */
export const checks =
  (conclusion: string, kind: "check_run" | "status" = "check_run"): Act =>
  ({ world, number, pull }) => {
    const of = world.host.issue(pull).pull?.head.sha ?? `issue-${number}`;
    return world.host.check({ name: `moisture-${number}`, of, conclusion, kind });
  };

async function runs(world: World, ...argv: string[]): Promise<void> {
  const { code, out, err } = await world.scene.loop(...argv);
  if (code !== 0) throw new Error(`loop ${argv.join(" ")} ended with ${code}: ${out}${err}`);
}
