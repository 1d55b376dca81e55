import { CodeHostError, InboxUnavailable, LoopError } from "@loopwork/core/ports";
import { describe, expect, test } from "vitest";
import type { RuntimeParts } from "@loopwork/runtime";
import { until } from "../support/until.ts";
import { createWorld, type World } from "../support/world.ts";

/**
 * A store that fails whenever the first delivery it is asked about is decided for a work item, with
 * one error after the other, until it is mended.
 */
function failing(...errors: readonly Error[]): {
  readonly decorate: (parts: RuntimeParts) => RuntimeParts;
  readonly failures: () => number;
  readonly mend: () => void;
} {
  let [failures, victim, mended] = [0, 0, false];
  return {
    failures: () => failures,
    mend: () => void (mended = true),
    decorate(parts) {
      const { log } = parts.store;
      const decide: typeof log.decide = async (seq, workItem, step) => {
        if (workItem !== null) victim ||= seq;
        if (mended || workItem === null || seq !== victim) return log.decide(seq, workItem, step);
        throw errors[failures++ % errors.length];
      };
      return { ...parts, store: { ...parts.store, log: { ...log, decide } } };
    },
  };
}

/** Two refused starts: the first is the victim, the second stands behind it. */
function twoStarts(world: World): readonly number[] {
  return ["one", "two"].map((title) => {
    const { number } = world.host.openIssue({ title, by: "ada" });
    world.host.comment(number, "loop start", "ada");
    return number;
  });
}

describe("a delivery that cannot be decided", () => {
  test(
    "because our own code fails for good is set aside after three times, loudly, and blocks nobody",
    { timeout: 60_000 },
    async () => {
      const world = await createWorld();
      const { decorate, failures } = failing(new Error("the stored ref x does not parse"));
      const service = await world.start(decorate);
      twoStarts(world);
      const rejected = await service.event(
        "delivery.decided",
        ({ reason }) => reason === "payload-rejected",
      );
      expect(failures()).toBe(3);
      expect(rejected).toMatchObject({ level: "warn" });
      await until(
        async () => (await service.parts.store.stats()).undecided === 0,
        "the deliveries behind it",
      );
      expect(
        service.said.some(
          (line) =>
            line.startsWith("error: deciding ") && line.includes("the stored ref x does not parse"),
        ),
      ).toBe(true);
    },
  );

  test(
    "because of the store, the inbox, the host or SQLite waits as long as it takes, and is decided then",
    { timeout: 60_000 },
    async () => {
      const world = await createWorld();
      const sqlite = Object.assign(new Error("database is locked"), {
        code: "ERR_SQLITE_ERROR",
        errcode: 5,
      });
      const { decorate, failures, mend } = failing(
        new LoopError("LOOP_E_STORE_FULL", "The disk is full.", "Make room."),
        new InboxUnavailable("LOOP_E_STORE_UNAVAILABLE", "away"),
        new CodeHostError("LOOP_E_HOST_UNREACHABLE", "no route"),
        sqlite,
      );
      const service = await world.start(decorate);
      const [first = 0] = twoStarts(world);
      await until(() => failures() >= 6, "six failures"); // Each of the four is once beyond the third in a row.
      expect(await service.events("delivery.decided")).toEqual([]);
      mend();
      await service.event(
        "delivery.decided",
        ({ reason, workItem }) => reason === "not-armed" && workItem === world.ref(first),
      );
      expect(
        (await service.events("delivery.decided")).some(
          ({ reason }) => reason === "payload-rejected",
        ),
      ).toBe(false);
    },
  );
});
