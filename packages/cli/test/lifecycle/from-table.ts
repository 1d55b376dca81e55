import type { ControlStatus } from "@loopwork/core/ports";
import { type Condition, decidedAs, type Move, type Transition } from "@loopwork/core/testing";
import {
  type Act,
  closes,
  opensPull,
  type Play,
  registers,
  reopens,
  says,
  type Stage,
  type WorldKind,
} from "./play.ts";

/** Conditions that are one of the whole configuration. */
const worlds: Readonly<Partial<Record<Condition, WorldKind>>> = {
  "spawning-off": "spawning-off",
  "lanes-held": "held",
  "lanes-uncertain": "uncertain",
};

/** The play of one row of the lifecycle's table, made from nothing but the row. */
export function playOf(row: Transition): Play {
  const { id, when } = row;
  const world = worlds[when] ?? "usual";
  const words = when === "lanes-uncertain" ? "{{fixture:exit 0}}" : "Please help.";
  const of = ({ number }: Stage): number =>
    when === "unconfirmed" ? strangeNumber(number) : number;
  return {
    id,
    of,
    world,
    labelled: when !== "unarmed",
    words,
    before: leadingTo(row),
    act: actOf(row),
    decided: decidedOf(row),
    status: statusAfter(row),
    also: () => Promise.resolve(),
  };
}

/**
 * The move itself. A start that only a branch's name points to the item is said on the pull
 * request.
 */
function actOf({ move, when }: Transition): Act {
  if (move === "close") return closes("ada");
  if (move === "defer") return closes("mallory");
  if (move === "reopen") return reopens("ada");
  return when === "unconfirmed"
    ? ({ world, pull }: Stage) => world.host.comment(pull, `loop ${move}`, "ada")
    : says(`loop ${move}`);
}

/** An issue that nobody has ever seen: only a branch is named after it. */
const strangeNumber = (number: number): number => 900_000 + number;

/** How the item comes to the row's status, and then to its condition. */
function leadingTo({ move, from, when }: Transition): readonly Act[] {
  if (when === "unconfirmed")
    return [
      opensPull({ branch: strangeNumber, labelled: true }),
      ...(from === "stopped"
        ? [({ world, pull }: Stage) => world.host.comment(pull, "loop stop", "ada")]
        : []),
    ];
  const closing = move === "reopen" || when === "shown-closed";
  switch (from) {
    case "idle":
      if (move === "reopen" || when === "shown-closed") return [closes("ada")];
      return (move === "close" || move === "defer") && when === "always"
        ? [registers("issue")]
        : [];
    case "started":
      return [says("loop start"), ...(closing ? [closes("mallory")] : [])];
    case "paused":
      return [
        ...pausedFrom(move === "resume" ? was(when) : "started"),
        ...(closing ? [closes("mallory")] : []),
      ];
    case "stopped":
      return [says("loop stop"), ...(closing ? [closes("mallory")] : [])];
    case "closed":
      return closedFrom(move, when);
  }
}

function pausedFrom(before: ControlStatus): readonly Act[] {
  const first =
    before === "started" ? [says("loop start")] : before === "stopped" ? [says("loop stop")] : [];
  return [...first, says("loop pause")];
}

/**
 * Where a row wants an item that is shown as open although it was closed, a stranger reopened it.
 */
function closedFrom(move: Move, when: Condition): readonly Act[] {
  if (move === "reopen") return [...reopenedLater(when), closes("ada")];
  return [
    says("loop stop"),
    closes("ada"),
    ...(when === "shown-closed" ? [] : [reopens("mallory")]),
  ];
}

function reopenedLater(when: Condition): readonly Act[] {
  if (when === "was-started") return [says("loop start")];
  if (when === "was-paused") return [says("loop start"), says("loop pause")];
  return when === "was-stopped" ? [says("loop stop")] : [registers("issue")];
}

const was = (when: Condition): ControlStatus =>
  when === "was-started" ? "started" : when === "was-stopped" ? "stopped" : "idle";

/** Reopening what was not closed is told like any activity. */
function decidedOf({ move, from, to, why }: Transition): string {
  if (to !== null) return decidedAs[move];
  if (move === "close" || move === "defer") return `noted: ${why}`;
  if (move !== "reopen") return `refused: ${why}`;
  return {
    idle: "refused: not-started",
    started: "delivered: activity-of-session",
    paused: "delivered: activity-of-session",
    stopped: "noted: not-running",
    closed: "",
  }[from];
}

/** A refusal makes no record of an item that had none: the label makes one. */
function statusAfter({ from, to, when }: Transition): ControlStatus | null {
  return to ?? (from === "idle" && (when === "unarmed" || when === "unconfirmed") ? null : from);
}
