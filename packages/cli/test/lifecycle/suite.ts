import { transitions } from "@loopwork/core/testing";
import { describe, expect, test } from "vitest";
import { besides } from "./besides.ts";
import { type Ending, type Ingress, perform } from "./drive.ts";
import { playOf } from "./from-table.ts";
import type { WorldKind } from "./play.ts";

/** What no host can bring about, with the reason. */
const beyond: Readonly<Record<string, string>> = {
  "start/closed/unconfirmed":
    "the closing of an item shows the item itself, so that it is not a guess of a branch's name any more; an imported record can be such a one",
};

/** Every row of the table and what the specification says beside it. */
const listed: readonly string[] = [
  ...transitions.map(({ id }) => id),
  ...besides.map(({ id }) => id),
];
const plays = [...transitions.filter(({ id }) => beyond[id] === undefined).map(playOf), ...besides];
const kinds: readonly WorldKind[] = [
  "usual",
  "granting",
  "granted",
  "spawning-off",
  "held",
  "uncertain",
  "by-activity",
];

/**
 * Every play by one ingress; what was driven must be all that is listed, but for what no host can
 * bring about.
 */
export function lifecycleBy(ingress: Ingress): void {
  describe(`every transition of the lifecycle, through real HTTP by ${ingress}`, () => {
    const covered = new Set<string>();

    test.each(kinds)("world: %s", { timeout: 300_000 }, async (kind) => {
      const wanted = plays.filter(({ world }) => world === kind);
      const endings = await perform(wanted, kind, ingress);
      expect(endings.map(tellOf)).toEqual(
        wanted.map(
          ({ id, decided, status }) =>
            `${id}: ${decided ?? "nothing decided"}, then ${status ?? "nothing on record"}`,
        ),
      );
      for (const { play } of endings) covered.add(play.id);
    });

    test("covered equals listed", () => {
      const beyondAny = Object.keys(beyond);
      process.stderr.write(
        `\n${ingress}: ${covered.size} of ${listed.length} transitions driven, ${beyondAny.length} beyond any host\n`,
      );
      expect([...covered, ...beyondAny].toSorted()).toEqual(listed.toSorted());
    });
  });
}

/**
 * What came of a play, in the words in which it was expected; all that was decided where that is
 * not among it.
 */
function tellOf({ play, decided, status, also }: Ending): string {
  const found =
    play.decided === null
      ? "nothing decided"
      : decided.includes(play.decided)
        ? play.decided
        : `[${decided.join("; ")}]`;
  return `${play.id}: ${found}, then ${status ?? "nothing on record"}${also === null ? "" : `, but ${String(also)}`}`;
}
