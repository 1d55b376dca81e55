import type { Policy } from "../config/policy.ts";
import type { RefText } from "../ref/ref.ts";

/** What an instance says of itself when it begins to dispatch. `machine` is for people. */
export type InstanceLife = {
  readonly incarnation: string;
  readonly machine: string;
  readonly scope: InstanceScope;
};
export type InstanceScope = {
  readonly mode: Policy["instance"]["scope"];
  readonly workItems: readonly RefText[];
};

/**
 * One named loop, as the store knows it. `seenAgoMs`, `startedAgoMs`: milliseconds, by the clock of
 * the store. `drained`: somebody told it to take nothing new.
 */
export type InstanceRow = {
  readonly name: string;
  readonly machine: string;
  readonly scope: InstanceScope;
  readonly ended: boolean;
  readonly drained: boolean;
  readonly startedAgoMs: number;
  readonly seenAgoMs: number;
};

/** How often a living instance says so, milliseconds. */
export const heartbeatMs = 5_000;

/**
 * After so long without a word, milliseconds, an instance counts as away: as long as the leases of
 * its lanes last without it.
 */
export const awayAfterMs = 30_000;

/**
 * How an instance stands:
 *
 *     running ──stops──▶ stopped ──starts──▶ running
 *        └──says nothing for 30 s──▶ away ──says something──▶ running
 *
 * One that is away may be dead, paused or cut off, and may come back at any moment: nobody takes
 * its work unless a person says so.
 */
export type InstanceStatus = "running" | "away" | "stopped";

export function instanceStatus({
  ended,
  seenAgoMs,
}: Pick<InstanceRow, "ended" | "seenAgoMs">): InstanceStatus {
  if (ended) return "stopped";
  return seenAgoMs > awayAfterMs ? "away" : "running";
}
